package import Bytes
package import Listings

/// A renderer of rows as newline-delimited JSON: `{"id":…,<column>:…}` on each line.
///
/// A line names its section in a grouped list, or if the client has chosen it, as in CSV.
/// The id is in the position of its column with that column's type, if the column is shown.
package struct NDJSONRowRenderer: RowRenderer {
    private let links: (any PageLinks & Sendable)?

    package init(links: (any PageLinks & Sendable)? = nil) { self.links = links }

    package func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer) {}

    package func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer) {
        let layout = JSONRowLayout(page)
        let namesSections = page.schema.fields(of: page.query).contains(.section)
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

    package func renderEnd(to buffer: inout ByteBuffer) {}
}

extension Page {
    var showsIDs: Bool { schema.idColumn.map(shownColumns.contains) ?? false }
}
