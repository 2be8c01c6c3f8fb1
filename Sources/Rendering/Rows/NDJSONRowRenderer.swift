package import Bytes
package import Listings

/// A renderer of rows as newline-delimited JSON: `{"id":…,"section":…,<column>:…}` on each line.
///
/// The id is in the position of its column with that column's type, if the column is shown.
package struct NDJSONRowRenderer: RowRenderer {
    private let namesSections: Bool
    private let links: (any PageLinks & Sendable)?

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - namesSections: Whether each line contains the section.
    ///   - links: The addresses of binary cells, or nil to omit them.
    package init(namesSections: Bool = true, links: (any PageLinks & Sendable)? = nil) {
        self.namesSections = namesSections
        self.links = links
    }

    /// Appends nothing, because each line is a separate document.
    package func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer) {}

    /// Appends the rows of a page as lines.
    package func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer) {
        let layout = JSONRowLayout(page)
        JSONWriter.write(to: &buffer) { writer in
            for section in page.sections {
                for row in section.rows {
                    let id = namesSections ? section.info.id.rawValue : nil
                    writer.plainRow(row, of: page, section: id, layout, links)
                    writer.endLine()
                }
            }
        }
    }

    /// Appends nothing.
    package func renderEnd(to buffer: inout ByteBuffer) {}
}

extension Page {
    /// Whether the id column is shown, so that no separate id is needed.
    var showsIDs: Bool { schema.idColumn.map(shownColumns.contains) ?? false }
}
