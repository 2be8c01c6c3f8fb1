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
    /// The columns of the table.
    let width: Int
    /// Whether there are more columns than a window can be trusted to hold: the table then scrolls
    /// in a frame of its own.
    let isWide: Bool

    init(_ page: borrowing Page) {
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
        width = max(1, shown.count)
        let lasting = shown.count { columns[$0].priority == 1 }
        let common = shown.count { columns[$0].priority < 3 }
        isWide = lasting > 3 || common > 6 || shown.count > 10
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
