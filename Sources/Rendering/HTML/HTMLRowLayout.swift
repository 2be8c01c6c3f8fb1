import Listings

/// How the cells of a page's rows are spread over the table.
struct HTMLRowLayout {
    /// A column behind the row's header.
    struct Field {
        let column: Int
        let type: ColumnType
        /// The start tag of its cells.
        let open: HTMLMarkup
    }

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
        canMove: Bool = false
    ) {
        let columns = page.schema.columns
        let shown = page.shownColumns
        let grouping = page.query.grouping
        header = shown.first
        fields = shown.dropFirst().map { index in
            let column = columns[index]
            let open = HTMLMarkup { writer in
                writer.markup("<td")
                writer.classes(of: column)
                writer.markup(">")
            }
            return Field(column: index, type: column.type, open: open)
        }
        // What heads the section need not be said again in each row.
        secondary = shown.dropFirst().first { index in
            columns[index].priority > 1 && grouping != Grouping(column: index)
        }
        showsInitials = shown.contains { columns[$0].type == .email }
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
    }

    /// What draws a kind of row; nil where that is its own cells.
    func template(_ kind: String) -> RowTemplate? {
        rowTemplates.isEmpty ? nil : rowTemplates[kind]
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
    /// Appends ` class="…"` for the cells of a column: when it gives way, how it is set.
    mutating func classes(of column: Column) {
        let kind: StaticString? =
            switch column.type {
            case .integer, .real: "num"
            case .email, .link: "url"
            case .text, .boolean, .date: nil
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
