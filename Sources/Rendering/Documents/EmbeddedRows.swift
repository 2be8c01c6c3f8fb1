package import Listings

package struct EmbeddedRow: Sendable {
    package let id: String
    package let address: String
    package let cells: [(column: String, value: CellValue)]
    package let embedded: [EmbeddedRows]

    package init(
        id: String,
        address: String,
        cells: [(column: String, value: CellValue)],
        embedded: [EmbeddedRows]
    ) {
        self.id = id
        self.address = address
        self.cells = cells
        self.embedded = embedded
    }
}

package struct EmbeddedRows: Sendable {
    package let name: String
    package let isMany: Bool
    package let rows: [EmbeddedRow]
    package let hasMore: Bool

    package init(name: String, isMany: Bool, rows: [EmbeddedRow], hasMore: Bool) {
        self.name = name
        self.isMany = isMany
        self.rows = rows
        self.hasMore = hasMore
    }
}

extension [EmbeddedRows] {
    func write(to writer: inout JSONWriter) {
        guard !isEmpty else { return }
        writer.object("embedded") { writer in
            for list in self {
                writer.key(JSONKey(list.name))
                guard list.isMany else {
                    if let row = list.rows.first { row.write(to: &writer) } else { writer.null() }
                    continue
                }
                writer.object { writer in
                    writer.array("rows") { writer in
                        for row in list.rows { row.write(to: &writer) }
                    }
                    writer.member("more", list.hasMore)
                }
            }
        }
    }
}

extension EmbeddedRow {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.object("cells") { writer in
                for cell in cells {
                    writer.key(JSONKey(cell.column))
                    writer.value(cell.value)
                }
            }
            embedded.write(to: &writer)
            writer.object("links") { $0.member("self", address) }
        }
    }
}
