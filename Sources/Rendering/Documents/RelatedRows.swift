package import Listings

package struct RelatedRows: Sendable {
    package struct Item: Sendable {
        package let id: String
        package let label: String
        package let address: String
        /// The address of the form that restores the values before a change.
        package let restoring: String?
        package let cells: [Cell]

        package init(
            id: String,
            label: String,
            address: String,
            restoring: String? = nil,
            cells: [Cell] = []
        ) {
            self.id = id
            self.label = label
            self.address = address
            self.restoring = restoring
            self.cells = cells
        }
    }

    /// A value, or the label of the row that it names with the address of that row.
    package struct Cell: Sendable {
        package let value: CellValue
        package let label: String?
        package let address: String?

        package init(_ value: CellValue, label: String? = nil, address: String? = nil) {
            (self.value, self.label, self.address) = (value, label, address)
        }
    }

    package let list: String
    /// The list of pairs that connects the shown rows; nil if they refer to the row themselves.
    package let through: String?
    package let column: String
    package let title: String
    package let address: String
    /// The number of rows; nil if counting took too long.
    package let count: Count?
    /// The first rows; nil if they cannot be read now.
    package let items: [Item]?
    /// The heading of the labels; nil shows no headings.
    package let heading: String?
    /// The columns of the cells.
    package let columns: [Column]

    package init(
        list: String,
        through: String? = nil,
        column: String,
        title: String,
        address: String,
        count: Count?,
        items: [Item]?,
        heading: String? = nil,
        columns: [Column] = []
    ) {
        self.list = list
        self.through = through
        self.column = column
        self.title = title
        self.address = address
        self.count = count
        self.items = items
        self.heading = heading
        self.columns = columns
    }
}

extension [RelatedRows] {
    func write(to writer: inout HTMLWriter, in context: RenderContext) {
        for list in self { list.write(to: &writer, in: context) }
    }

    func write(to writer: inout JSONWriter) {
        guard !isEmpty else { return }
        writer.array("related") { writer in
            for list in self {
                writer.object { writer in
                    writer.member("list", list.list)
                    if let through = list.through { writer.member("through", through) }
                    writer.member("column", list.column)
                    writer.member("title", list.title)
                    writer.key("total")
                    writer.count(list.count)
                    guard let items = list.items else {
                        writer.member("unavailable", true)
                        return writer.object("links") { $0.member("self", list.address) }
                    }
                    writer.array("rows") { writer in
                        for item in items {
                            writer.object { writer in
                                writer.member("id", item.id)
                                writer.member("label", item.label)
                                writer.member("href", item.address)
                            }
                        }
                    }
                    writer.object("links") { $0.member("self", list.address) }
                }
            }
        }
    }
}

extension RelatedRows {
    fileprivate func write(to writer: inout HTMLWriter, in context: RenderContext) {
        writer.markup("<section class=\"rel\"><h2>")
        writer.link(title, to: address)
        if let count { writer.element(" <span class=\"n\">", writer.texts.count(count), "</span>") }
        writer.markup("</h2>\n")
        let items = items ?? []
        if !items.isEmpty {
            writer.markup("<table>")
            if let heading { head(heading, to: &writer) }
            writer.markup("<tbody>\n")
            for item in items { row(item, to: &writer, in: context) }
            writer.markup("</tbody></table>\n")
        }
        if let count, count.value > items.count {
            writer.markup("<p><a")
            writer.attribute("href", address)
            writer.element(">", writer.values.allBelow(writer.texts.count(count)), "</a></p>\n")
        }
        writer.markup("</section>\n")
    }

    private func head(_ heading: String, to writer: inout HTMLWriter) {
        writer.element("<thead><tr><th scope=\"col\">", heading, "</th>")
        for (position, column) in columns.enumerated() {
            writer.markup("<th scope=\"col\"")
            writer.classes(of: column, isLabel: isLabelled(position))
            writer.element(">", column.label, "</th>")
        }
        writer.markup("</tr></thead>\n")
    }

    /// Whether a column names rows of another list.
    private func isLabelled(_ position: Int) -> Bool {
        items?.contains { $0.cells[position].address != nil } ?? false
    }

    private func row(_ item: Item, to writer: inout HTMLWriter, in context: RenderContext) {
        writer.markup("<tr><th scope=\"row\">")
        writer.link(item.label, to: item.address)
        if let address = item.restoring {
            writer.markup(" <form class=\"restore\" method=\"post\"")
            writer.attribute("action", address)
            writer.element("><button class=\"btn\">", writer.texts("Restore"), "</button>")
            writer.markup("</form>")
        }
        writer.markup("</th>")
        for (position, cell) in item.cells.enumerated() {
            writer.markup("<td")
            writer.classes(of: columns[position], isLabel: isLabelled(position))
            writer.markup(">")
            if let address = cell.address {
                writer.link(cell.label ?? cell.value.plainText, to: address)
            } else if !cell.value.isNull {
                var cells = CellBuffer()
                cells.append(cell.value, display: cell.label)
                let location = CellLocation(images: context.imageHosts)
                writer.value(0, of: cells, columns[position], in: location)
            }
            writer.markup("</td>")
        }
        writer.markup("</tr>\n")
    }
}
