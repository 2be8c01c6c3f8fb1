import Bytes
import Listings

/// How the cells of a page's rows are spread over the table.
struct HTMLRowLayout: ~Copyable {
    /// A column behind the row's header.
    struct Field {
        let column: Int
        let type: ColumnType
        /// The start tag of its cells, as a part of `text`.
        let open: Range<Int>
        /// Whether its texts may become links.
        var isAddress: Bool { type == .email || type == .link }
    }

    /// What stands in rows that are their cells and nothing else.
    struct Bare {
        /// The start of the row, up to the id, as a part of `text`.
        let start: Range<Int>
        /// What rows have by their kinds on the page.
        var kinds: [Kind] = []
        /// The most bytes of a row without its ids and its texts.
        var longest = 0
    }

    /// A kind of such rows.
    struct Kind {
        /// From the id of the element to the head of the row, as a part of `text`.
        let head: Range<Int>
        /// The start of the row's link, up to the id.
        let link: Range<Int>
        /// The cells that its rows have.
        let cellCount: Int
        /// What rows of texts and whole numbers follow; nil where a row lacks one of the cells shown,
        /// one may be a link, or initials are shown.
        var pattern: RowPattern?
    }

    /// Markup of rows that is known before any of them.
    let text: HTMLMarkup
    /// nil where rows have more than their cells, or addresses that do not end with their ids.
    private(set) var bare: Bare?

    /// The column whose cells head the rows; nil when no column is shown.
    let header: Int?
    /// The column that is shown below the header where there is no room for more columns.
    let secondary: Int?
    /// The columns behind the header.
    let fields: [Field]
    /// The columns of the list in the table.
    let width: Int
    /// Whether the rows are people, who are shown by their initials: they have an address for mail.
    let showsInitials: Bool
    /// What can be done with several rows at once: each action that any row of the page offers.
    let bulkActions: [RowAction]
    /// Whether a column follows for what can be done with rows.
    let hasActions: Bool
    /// The templates of headers and footers, and of the page's rows by their kind.
    let templates: TemplateSet
    private let rowTemplates: [String: RowTemplate]
    /// Whether there are more columns than a window can be trusted to hold: the table then scrolls
    /// in a frame of its own.
    let isWide: Bool

    /// All columns of the table.
    var columnCount: Int { width + (hasActions ? 1 : 0) + (bulkActions.isEmpty ? 0 : 1) }

    /// Whether people can put the rows in another order.
    let canMove: Bool

    init(
        _ page: borrowing Page,
        _ templates: TemplateSet = TemplateSet(),
        canMove: Bool = false,
        in context: ListingContext? = nil
    ) {
        let columns = page.schema.columns
        let shown = page.shownColumns
        let grouping = page.query.grouping
        header = shown.first
        var fields: [Field] = []
        var bare: Bare?
        let isBare =
            page.isFlat && !canMove && !page.hasActions
            && (!templates.hasRows || page.query.columns != nil)
        text = HTMLMarkup { writer in
            for index in shown.dropFirst() {
                let start = writer.count
                writer.markup("<td")
                writer.classes(of: columns[index])
                writer.markup(">")
                let open = start..<writer.count
                fields.append(Field(column: index, type: columns[index].type, open: open))
            }
            if isBare, let context { bare = writer.bare(page, in: context) }
        }
        self.fields = fields
        // What heads the section need not be said again in each row.
        secondary = shown.dropFirst().first { index in
            columns[index].priority > 1 && grouping != Grouping(column: index)
        }
        showsInitials = shown.contains { columns[$0].type == .email }
        // All that stands in the text at most once, and what the writer knows of itself.
        bare?.longest = text.count + 64 + 8 * fields.count
        self.bare = bare
        width = max(1, shown.count)
        self.canMove = canMove
        hasActions = page.hasActions || canMove
        bulkActions = page.hasActions ? page.bulkActions : []
        self.templates = templates
        var rowTemplates: [String: RowTemplate] = [:]
        // Whoever chooses columns is shown them.
        if templates.hasRows, page.query.columns == nil {
            for row in 0..<page.rowCount where rowTemplates[page.kind(ofRow: row)] == nil {
                let kind = page.kind(ofRow: row)
                rowTemplates[kind] = templates.row(kind).map { RowTemplate($0, page.schema) }
            }
        }
        self.rowTemplates = rowTemplates
        let lasting = shown.count { columns[$0].priority == 1 }
        let common = shown.count { columns[$0].priority < 3 }
        isWide = lasting > 3 || common > 6 || shown.count > 10
        guard !showsInitials else { return }
        for kind in 0..<(self.bare?.kinds.count ?? 0) {
            let pattern = pattern(of: kind, on: page)
            self.bare?.kinds[kind].pattern = pattern
        }
    }

    /// Whether rows that are lent to the page can be drawn.
    func draws(_ stretch: PlainStretch) -> Bool {
        bare?.kinds[stretch.kind].pattern?.draws(stretch) ?? false
    }

    /// What draws a kind of row; nil where that is its own cells.
    func template(_ kind: String) -> RowTemplate? {
        rowTemplates.isEmpty ? nil : rowTemplates[kind]
    }
}

extension HTMLRowLayout {
    /// What the bare rows of a kind follow whose texts and whole numbers are all shown as they are.
    fileprivate func pattern(of position: Int, on page: borrowing Page) -> RowPattern? {
        guard let bare, let header, !fields.contains(where: \.isAddress),
            let cells = RowPattern.Cells(ofKind: position, of: page)
        else { return nil }
        let kind = bare.kinds[position]
        let places = page.kinds[position].cellOfColumn
        guard let first = places[header] else { return nil }
        let others = fields.compactMap { places[$0.column] }
        guard others.count == fields.count else { return nil }
        let below = secondary.flatMap { places[$0] }
        return RowPattern(
            kind: position,
            cells: cells,
            hasRevision: nil,
            filled: [first] + (below.map { [$0] } ?? []),
            longestText: UInt32(CellBuffer.longestShortText)
        ) { row, value in
            text.write(bare.start, to: &row)
            value(.id, row)
            text.write(kind.head.lowerBound..<kind.link.upperBound, to: &row)
            value(.id, row)
            row.append("\"><bdi>")
            value(cells.value(first), row)
            row.append("</bdi></a>")
            if let below {
                row.append(" <span class=\"sub\">")
                value(cells.value(below), row)
                row.append("</span>")
            }
            row.append("</th>")
            for (field, place) in zip(fields, others) {
                text.write(field.open, to: &row)
                value(cells.value(place), row)
                row.append("</td>")
            }
            row.append("</tr>\n")
        }
    }
}

extension Page {
    /// The actions that change something, each once, in the order they are offered in.
    fileprivate var bulkActions: [RowAction] {
        var actions: [RowAction] = []
        for row in 0..<rowCount {
            for action in self.actions(ofRow: row) where action.method == .post {
                if !actions.contains(where: { $0.name == action.name }) { actions.append(action) }
            }
        }
        return actions
    }
}

extension HTMLWriter {
    /// Prepares what stands in rows that are their cells and nothing else.
    fileprivate mutating func bare(
        _ page: borrowing Page,
        in context: ListingContext
    ) -> HTMLRowLayout.Bare? {
        var stem = ByteBuffer(minimumCapacity: 64)
        guard context.links.writeRowStem(to: &stem) else { return nil }
        let start = count
        markup("<tr id=\"r-")
        var bare = HTMLRowLayout.Bare(start: start..<count)
        for kind in page.kinds {
            let start = count
            markup("\" data-kind=\"")
            text(kind.name)
            markup("\"><th scope=\"row\">")
            let link = count
            markup("<a href=\"")
            stem.withBytes { text($0) }
            bare.kinds.append(
                HTMLRowLayout.Kind(
                    head: start..<link,
                    link: link..<count,
                    cellCount: kind.cellCount
                )
            )
        }
        return bare
    }

    /// Appends ` class="…"` for the cells of a column: when it gives way, how it is set.
    mutating func classes(of column: Column) {
        let kind: StaticString? =
            switch column.type {
            case .integer, .real: "num"
            case .email, .link: "url"
            case .text, .boolean, .date, .timestamp, .json, .bytes: nil
            }
        let giving: StaticString? =
            switch column.priority {
            case 2: "p2"
            case 3: "p3"
            default: nil
            }
        guard giving != nil || kind != nil else { return }
        markup(" class=\"")
        if let giving { markup(giving) }
        if giving != nil, kind != nil { markup(" ") }
        if let kind { markup(kind) }
        markup("\"")
    }
}
