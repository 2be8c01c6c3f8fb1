package import Bytes
package import Listings

/// Draws rows as newline-delimited JSON: `{"id":…,"section":…,<column>:…}`, one line each.
package struct NDJSONRowRenderer: RowRenderer {
    private let sections: RowSections

    /// Creates a renderer.
    package init(sections: RowSections = .named) { self.sections = sections }

    /// Appends nothing: each line stands for itself.
    package func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer) {}

    /// Appends the rows of a page, a line each.
    package func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer) {
        let layout = JSONRowLayout(page)
        JSONWriter.write(to: &buffer) { writer in
            for section in page.sections {
                for row in section.rows {
                    writer.object { writer in
                        writer.key("id")
                        page.withID(ofRow: row) { writer.string($0) }
                        if sections == .named {
                            writer.member("section", section.info.id.rawValue)
                        }
                        if let code = page.failures[row] { return writer.failure(code) }
                        writer.cells(ofRow: row, of: page, layout)
                    }
                    writer.endLine()
                }
            }
        }
    }
}
