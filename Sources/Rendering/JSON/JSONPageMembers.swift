import Bytes
import Listings

/// The members of a page that are the same on all pages that answer one question: drawn once, copied
/// for each.
struct JSONPageMembers: ~Copyable {
    private(set) var text = ByteBuffer(minimumCapacity: 1024)
    /// The list's name and title, as a part of `text`.
    private(set) var name = 0..<0
    /// The order of the rows, and how they are paged.
    private(set) var order = 0..<0
    /// The columns that are shown.
    private(set) var columns = 0..<0
    /// The links before those to the pages around this one.
    private(set) var firstLinks = 0..<0
    /// The link to what changed, but for the name of what is shown and the quotation mark behind it.
    private(set) var changes = 0..<0
    /// The links behind it.
    private(set) var furtherLinks = 0..<0

    init(_ page: borrowing Page, in context: ListingContext) {
        name = draw { writer in
            writer.member("id", page.list)
            writer.member("title", context.title)
        }
        order = draw { $0.order(of: page) }
        columns = draw { $0.columns(of: page) }
        firstLinks = draw { writer in
            writer.link("self", .current, context)
            writer.link("first", .first, context)
        }
        changes = draw { $0.beginChanges(in: context) }
        furtherLinks = draw { $0.furtherLinks(of: page, in: context) }
    }

    private mutating func draw(_ members: (inout JSONWriter) -> Void) -> Range<Int> {
        let start = text.count
        JSONWriter.write(to: &text, members)
        return start..<text.count
    }
}

extension JSONWriter {
    /// Appends the members that tell in which order rows come, and how they are paged.
    fileprivate mutating func order(of page: borrowing Page) {
        let (schema, query) = (page.schema, page.query)
        array("sort") { writer in
            guard !schema.usesOwnOrder(query) else { return }
            // Behind the column of the ids nothing is left to be ordered.
            let isIDNamed = query.sort.contains { key in
                schema.idColumn.map { key.field == .column($0) } ?? false
            }
            for key in query.order where !isIDNamed || key.field != .id {
                writer.string(key.text(schema))
            }
        }
        switch query.shape {
        case .flow: member("mode", "flow")
        case .peek: member("mode", "peek")
        }
    }

    /// Appends the links to other forms of the page and to what it is a part of.
    fileprivate mutating func furtherLinks(of page: borrowing Page, in context: ListingContext) {
        link("html", .alternate(.html), context)
        link("csv", .alternate(.csv), context)
        link("ndjson", .alternate(.ndjson), context)
        if let parent = context.parent {
            string("parent") { context.links.writeRow(parent.utf8.span, to: &$0) }
        }
        if context.isRefreshable { link("refresh", .refresh, context) }
        if page.query.grouping != nil { link("sections", .sections, context) }
        link("schema", .schema, context)
    }
}
