package import Listings

/// A row of another list inside a row.
package struct EmbeddedRow: Sendable {
    /// The id in its list.
    package let id: String
    package let address: String
    /// The shown columns and their values.
    package let cells: [(column: String, value: CellValue)]
    /// The rows inside the row.
    package let embedded: [EmbeddedRows]

    /// Describes a row.
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

/// The rows of one list inside a row.
package struct EmbeddedRows: Sendable {
    /// The name of the list in the request.
    package let name: String
    /// Whether there can be several rows.
    package let isMany: Bool
    package let rows: [EmbeddedRow]
    /// Whether there may be further rows.
    package let hasMore: Bool

    /// Describes rows.
    package init(name: String, isMany: Bool, rows: [EmbeddedRow], hasMore: Bool) {
        self.name = name
        self.isMany = isMany
        self.rows = rows
        self.hasMore = hasMore
    }
}

extension [EmbeddedRows] {
    /// Writes the member `embedded` of a row, unless there is none.
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
