package import Bytes
package import Listings

/// A renderer of pages as JSON, with typed values and links.
///
/// Members always have the same order, so that equal pages have equal bytes.
package struct JSONPageRenderer: PageRenderer {
    /// Creates a renderer.
    package init() {}

    /// Appends a page as an object with its sections, its position in the list and its links.
    package func render(
        _ page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let layout = context.rowLayouts.json(of: page, in: context)
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                list(of: page, in: context, to: &writer)
                writer.fragment(.columns, in: context) { $0.columns(of: page) }
                writer.array("sections") { writer in
                    sections(of: page, layout, in: context, to: &writer)
                }
                place(of: page, in: context, to: &writer)
                writer.key("total")
                writer.count(page.total)
                facets(of: page, in: context, to: &writer)
                index(of: page, in: context, to: &writer)
                emptiness(of: page, to: &writer)
                if page.isStale { writer.member("stale", true) }
                links(of: page, in: context, to: &writer)
            }
        }
    }

    /// Appends an object with the row, its columns and its section.
    package func renderRow(
        of page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let layout = JSONRowLayout(page)
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.object("list") { writer in
                    writer.member("id", page.list)
                    writer.member("title", context.title)
                }
                writer.columns(of: page)
                if let id = page.sections.first?.info.id {
                    writer.object("section") { writer in
                        writer.section(0, of: page)
                        writer.object("links") { writer in
                            writer.link("self", .section(id), context)
                        }
                    }
                }
                writer.key("row")
                row(0, of: page, layout, in: context, to: &writer)
                if page.isStale { writer.member("stale", true) }
                writer.object("links") { writer in
                    writer.link("self", .current, context)
                    writer.link("list", .list, context)
                    writer.link("html", .alternate(.html), context)
                }
            }
        }
    }

    /// Appends only the object of the single row of a page.
    package func renderRowAlone(
        of page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let layout = JSONRowLayout(page)
        JSONWriter.write(to: &buffer) { row(0, of: page, layout, in: context, to: &$0) }
    }

    private func list(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        writer.object("list") { writer in
            writer.fragment(.list, in: context) { writer in
                writer.member("id", page.list)
                writer.member("title", context.title)
            }
            if page.windowName.isEmpty {
                writer.string("version") { page.writeVersion(to: &$0) }
            } else {
                writer.key("version")
                writer.plainString(page.windowName)
            }
            writer.fragment(.order, in: context) { $0.order(of: page) }
        }
    }

    private func sections(
        of page: borrowing Page,
        _ layout: JSONRowLayout,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        for index in page.sections.indices {
            writer.object { writer in
                writer.head(ofSection: index, of: page)
                writer.array("rows") { writer in
                    page.sections[index].rows.writeRows(
                        encode: { writer.rows($0, of: page, layout) },
                        write: { row($0, of: page, layout, in: context, to: &writer) }
                    )
                }
                writer.links(ofSection: index, of: page, in: context)
            }
        }
    }

    /// Appends a row.
    ///
    /// The closure appends further members after its own.
    func row(
        _ row: Int,
        of page: borrowing Page,
        _ layout: JSONRowLayout,
        in context: RenderContext,
        to writer: inout JSONWriter,
        and further: (inout JSONWriter) -> Void = { _ in }
    ) {
        writer.object { writer in
            writer.key("id")
            page.withID(ofRow: row) { writer.string($0) }
            if let code = page.failures[row] {
                writer.failure(code)
                return further(&writer)
            }
            writer.member("kind", page.kind(ofRow: row))
            if let revision = page.revision(ofRow: row) {
                writer.string("etag") { etag in
                    page.withID(ofRow: row) { id in
                        RowETag.write(id: id, revision: revision, to: &etag)
                    }
                }
            }
            var hasDisplay = false
            writer.object("cells") { writer in
                hasDisplay = writer.cells(ofRow: row, of: page, layout, context.links)
            }
            if hasDisplay { writer.display(ofRow: row, of: page, layout) }
            writer.extras(ofRow: row, of: page, in: context)
            further(&writer)
        }
    }

    func place(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        writer.object("page") { writer in
            writer.lead("\"limit\":")
            switch page.query.shape {
            case .flow(let limit), .peek(let limit, _): writer.integer(Int64(limit))
            }
            writer.lead(",\"rows\":")
            writer.integer(Int64(page.rowCount))
            writer.cursor("after", page.next, context)
            writer.cursor("before", page.previous, context)
        }
    }

    private func emptiness(of page: borrowing Page, to writer: inout JSONWriter) {
        guard let emptiness = EmptyStateText(page) else { return }
        writer.object("empty") { writer in
            writer.member("reason", emptiness.reason.rawValue)
            writer.member("title", emptiness.title)
            writer.member("message", emptiness.message)
        }
    }

    private func index(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        let index = page.sectionIndex
        guard !index.isEmpty else { return }
        let sections = page.sections
        writer.array("index") { writer in
            for entry in index {
                writer.object { writer in
                    writer.member("title", entry.title)
                    writer.member("section", entry.section)
                    writer.link("href", .section(sections[entry.section].info.id), context)
                }
            }
        }
    }

    private func links(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        writer.object("links") { writer in
            writer.fragment(.firstLinks, in: context) { writer in
                writer.link("self", .current, context)
                writer.link("first", .first, context)
            }
            writer.link("prev", page.previous.map { .before($0) }, context)
            writer.link("next", page.next.map { .after($0) }, context)
            if !page.windowName.isEmpty {
                writer.fragment(.changes, in: context) { $0.beginChanges(in: context) }
                writer.endChanges(since: page)
            }
            writer.fragment(.furtherLinks, in: context) {
                $0.furtherLinks(of: page, in: context)
            }
        }
    }
}
