import Bytes
import Listings

/// What is alike on all pages that answer one question, drawn for the first of them.
///
/// For whoever answers a question again and again, one page at a time: a third of a page of HTML is
/// what a reader can ask for next.
final class KnownPieces {
    /// A part of a page.
    enum Piece: Int, CaseIterable {
        /// What the document begins with, where it has a list.
        case headStart
        /// The links of the head to other forms of the page.
        case alternateRelations
        /// The way from the directory.
        case breadcrumb
        /// The search.
        case search
        /// The title, and what can be done with the list, as long as it has as many rows.
        case heading
        /// What chooses rows, as long as the values of columns have the same numbers.
        case narrowing
        /// The index letters, as long as they are the same.
        case letters
        /// The choices of sections, order and layout.
        case viewMenus
        /// What heads the columns.
        case columnHeaders
        /// The links of the footer to other forms of the page, and to the list's schema.
        case alternates
        /// How long the rows took to read, as long as it is as many tenths of milliseconds.
        case time
    }

    /// All that the parts depend on besides the context they are kept with.
    ///
    /// One object, and compared where it stands: a copy to compare with counts forty references.
    private final class Question {
        private let query: ListQuery
        private let columns: [Column]
        private let layouts: [PageLayout]
        private let language: PageLanguage

        init(_ page: borrowing Page, in context: ListingContext, _ language: PageLanguage) {
            query = page.query
            columns = page.schema.columns
            layouts = context.layouts
            self.language = language
        }

        func isAnswered(
            by page: borrowing Page,
            in context: ListingContext,
            _ language: PageLanguage
        ) -> Bool {
            query == page.query && columns == page.schema.columns && layouts == context.layouts
                && self.language == language
        }
    }

    /// The most bytes that are kept: a list of many columns has many addresses.
    private static let maximumBytes = 32 * 1024
    private var question: Question?
    /// The values and numbers that were drawn.
    private var facets: [Facet] = []
    /// The letters that were drawn.
    private var letters: [String] = []
    /// The number of rows that was drawn.
    private var total: Count?
    /// The tenths of milliseconds that were drawn.
    private var tenths: Int?
    private var text = ByteBuffer(minimumCapacity: 16)
    /// Whether bytes of the text belong to no part any more.
    private var hasWaste = false
    /// Where the parts stand in the text, by their number.
    private var ranges = [Range<Int>?](repeating: nil, count: Piece.allCases.count)
    private var knownCaption: String?
    private var html: HTMLRowPieces?
    private var json: JSONPieces?

    /// Forgets the parts of another question.
    func begin(_ page: borrowing Page, in context: ListingContext, _ language: PageLanguage) {
        if !facets.elementsEqual(page.facets, by: { $0.isSpelled(as: $1) }) {
            facets = page.facets
            forget(.narrowing)
        }
        // Byte for byte: texts that are equal may be spelled otherwise.
        if !letters.elementsEqual(page.letters, by: { $0.utf8.span.equals($1.utf8.span) }) {
            letters = page.letters
            forget(.letters)
        }
        if total != page.total {
            total = page.total
            forget(.heading)
        }
        let tenths = context.duration.map { $0 / 100 }
        if self.tenths != tenths {
            self.tenths = tenths
            forget(.time)
        }
        if let question, question.isAnswered(by: page, in: context, language) { return }
        question = Question(page, in: context, language)
        forget()
        knownCaption = nil
        html = nil
    }

    private func forget(_ piece: Piece) {
        hasWaste = hasWaste || ranges[piece.rawValue] != nil
        ranges[piece.rawValue] = nil
    }

    private func forget() {
        text.removeAll()
        hasWaste = false
        for index in ranges.indices { ranges[index] = nil }
    }

    /// Appends a part that was drawn before.
    ///
    /// - Returns: Whether it was.
    func write(_ piece: Piece, to buffer: inout ByteBuffer) -> Bool {
        guard let range = ranges[piece.rawValue] else { return false }
        buffer.append(range, of: text)
        return true
    }

    /// Keeps a part, if there is room for it.
    func keep(_ piece: Piece, _ range: Range<Int>, of buffer: borrowing ByteBuffer) {
        if hasWaste, text.count + range.count > Self.maximumBytes { forget() }
        let start = text.count
        guard start + range.count <= Self.maximumBytes else { return }
        text.append(range, of: buffer)
        ranges[piece.rawValue] = start..<text.count
    }

    /// What the pages are called.
    func caption(_ make: () -> String) -> String {
        if let knownCaption { return knownCaption }
        let caption = make()
        knownCaption = caption
        return caption
    }

    /// How the cells of the rows are spread over the table, and what is said of their sections: made
    /// anew where rows have more than their cells.
    func html(
        of page: borrowing Page,
        _ templates: TemplateSet,
        in context: ListingContext,
        _ language: PageLanguage
    ) -> HTMLRowPieces {
        let isPlain = page.isFlat && !page.hasActions && !context.canMove
        if isPlain, let html, html.kinds == page.kinds { return html }
        let pieces = HTMLRowPieces(
            HTMLRowLayout(
                page,
                templates,
                canMove: context.canMove,
                in: context,
                language: language
            ),
            page.kinds
        )
        // Templates are looked for among the rows that there are.
        if isPlain, !pieces.layout.encoders.isEmpty { html = pieces }
        return pieces
    }

    /// What is alike on all pages in JSON.
    func json(of page: borrowing Page, in context: ListingContext) -> JSONPieces {
        if let json, json.fit(page) { return json }
        let json = JSONPieces(page, in: context)
        self.json = json
        return json
    }
}

extension Facet {
    /// Whether another one is drawn alike: values that are equal may be spelled otherwise.
    fileprivate func isSpelled(as other: Facet) -> Bool {
        column == other.column && isComplete == other.isComplete
            && values.elementsEqual(other.values) { own, other in
                guard own.count == other.count else { return false }
                return switch (own.value, other.value) {
                case (.text(let own), .text(let other)): own.utf8.span.equals(other.utf8.span)
                case (.real(let own), .real(let other)): own.bitPattern == other.bitPattern
                default: own.value == other.value
                }
            }
    }
}

/// What is alike around the rows of all pages in HTML that answer one question.
final class HTMLRowPieces {
    let layout: HTMLRowLayout
    var sections = KnownSections()
    fileprivate let kinds: [Page.Kind]

    init(_ layout: consuming HTMLRowLayout, _ kinds: [Page.Kind]) {
        self.layout = layout
        self.kinds = kinds
    }
}

/// What is alike on all pages in JSON that answer one question, and the pages that it is good for.
final class JSONPieces {
    let members: JSONPageMembers
    let rows: JSONRowLayout
    var sections = KnownSections()
    private let kinds: [Page.Kind]
    private let columns: [Column]
    private let shown: [Int]?
    private let sort: [SortKey]
    private let grouping: Grouping?
    private let shape: ListQuery.Shape
    private let isFlat: Bool

    fileprivate init(_ page: borrowing Page, in context: ListingContext) {
        members = JSONPageMembers(page, in: context)
        rows = JSONRowLayout(page, in: context)
        kinds = page.kinds
        columns = page.schema.columns
        shown = page.query.columns
        sort = page.query.sort
        grouping = page.query.grouping
        shape = page.query.shape
        isFlat = page.isFlat
    }

    fileprivate func fit(_ page: borrowing Page) -> Bool {
        isFlat == page.isFlat && kinds == page.kinds && shown == page.query.columns
            && sort == page.query.sort && grouping == page.query.grouping
            && shape == page.query.shape && columns == page.schema.columns
    }
}
