package import Bytes
package import Listings

package enum JSONShape: String, Hashable, Sendable, CaseIterable {
    case array
    case objects
}

package struct JSONRowsRenderer: RowRenderer {
    private let shape: JSONShape
    private let links: any PageLinks & Sendable

    package init(_ shape: JSONShape, links: any PageLinks & Sendable) {
        self.shape = shape
        self.links = links
    }

    package func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer) {}

    package func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            switch shape {
            case .array: writer.array { rows(of: page, to: &$0) }
            case .objects: writer.object { rows(of: page, to: &$0) }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    package func renderEnd(to buffer: inout ByteBuffer) {}

    private func rows(of page: borrowing Page, to writer: inout JSONWriter) {
        let layout = JSONRowLayout(page)
        let namesSections = page.schema.isGrouped(page.query)
        for section in page.sections {
            let id = namesSections ? section.info.id.rawValue : nil
            for row in section.rows {
                if shape == .objects { writer.key(JSONKey(page.id(ofRow: row))) }
                writer.plainRow(row, of: page, section: id, layout, links)
            }
        }
    }
}

extension JSONWriter {
    mutating func plainRow(
        _ row: Int,
        of page: borrowing Page,
        section: String?,
        _ layout: JSONRowLayout,
        _ links: (any PageLinks & Sendable)?
    ) {
        object { writer in
            let failure = page.failures[row]
            if !page.showsIDs || failure != nil { writer.id(ofRow: row, of: page) }
            if let section { writer.member("section", section) }
            if let failure { return writer.failure(failure) }
            writer.cells(ofRow: row, of: page, layout, links)
        }
    }

    private mutating func id(ofRow row: Int, of page: borrowing Page) {
        key("id")
        let type = page.schema.idColumn.map { page.schema.columns[$0].type }
        if type == .integer,
            case .integer(let id)? = CellValue.parse(page.id(ofRow: row), as: .integer)
        {
            integer(id)
        } else {
            page.withID(ofRow: row) { string($0) }
        }
    }
}
