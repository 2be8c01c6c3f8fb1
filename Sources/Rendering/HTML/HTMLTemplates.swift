import Bytes
import Listings

struct RowTemplate {
    let template: Template
    let columns: [Int?]

    init(_ template: Template, _ schema: ListSchema) {
        self.template = template
        columns = template.columns.map { schema.index(of: $0) }
    }

    fileprivate func isCovered(by shown: Set<Int>) -> Bool {
        template.pieces.allSatisfy { piece in
            switch piece {
            case .value(.column(let column), _), .section(.column(let column), _, _):
                columns[column].map(shown.contains) ?? true
            case .markup, .value, .section: true
            }
        }
    }
}

extension RenderContext {
    func use(_ templates: TemplateSet, of page: borrowing Page) {
        guard templates.hasCells else { return }
        let shown = Set(page.shownColumns)
        cellTemplates = [:]
        for kind in page.kinds {
            for (id, template) in templates.cells(kind.name) {
                let template = RowTemplate(template, page.schema)
                guard let column = page.schema.index(of: id),
                    page.query.columns == nil || template.isCovered(by: shown)
                else { continue }
                cellTemplates[kind.name, default: [:]][column] = template
            }
        }
    }

    func template(ofColumn column: Int?, ofRow row: Int, of page: borrowing Page) -> RowTemplate? {
        guard !cellTemplates.isEmpty, page.failures[row] == nil, let column else { return nil }
        return cellTemplates[page.kind(ofRow: row)]?[column]
    }
}

extension HTMLWriter {
    mutating func template(
        _ row: RowTemplate,
        ofRow index: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        func cell(_ column: Int) -> Int? {
            row.columns[column].flatMap { page.cell(row: index, column: $0) }
        }
        let link = page.link(ofRow: index)
        template(
            row.template,
            isPresent: { name in
                switch name {
                case .column(let column):
                    guard let cell = cell(column) else { return false }
                    return page.cells.counts(cell)
                case .link: return link != .absent && link != .closed
                case .id, .title, .count: return true
                }
            },
            write: { name, location, writer in
                switch name {
                case .column(let column):
                    guard let cell = cell(column) else { return }
                    writer.templateValue(cell, of: page.cells, in: location)
                case .link:
                    writer.safe(in: location.ofKnownAddress) { buffer in
                        page.writeAddress(ofRow: index, link, in: context, to: &buffer)
                    }
                case .id:
                    writer.safe(in: location) { buffer in
                        page.withID(ofRow: index) { buffer.append($0) }
                    }
                case .title, .count: break
                }
            }
        )
    }

    mutating func template(
        _ template: Template,
        titled title: String,
        of section: PageSection,
        in context: RenderContext
    ) {
        let count = section.count.map { texts.count($0) } ?? ""
        self.template(
            template,
            isPresent: { name in
                switch name {
                case .title: !title.isEmpty
                case .count: section.count != nil
                case .id, .link, .column: true
                }
            },
            write: { name, location, writer in
                writer.safe(in: name == .link ? location.ofKnownAddress : location) { buffer in
                    switch name {
                    case .title: buffer.append(title)
                    case .count: buffer.append(count)
                    case .id: buffer.append(section.info.id.rawValue)
                    case .link: context.links.write(.section(section.info.id), to: &buffer)
                    case .column: break
                    }
                }
            }
        )
    }

    private mutating func templateValue(
        _ cell: Int,
        of cells: borrowing CellBuffer,
        in location: Template.Location
    ) {
        guard location == .text else {
            return safe(in: location) { cells.writePlain(cell, to: &$0) }
        }
        if cells.showsSomething(cell) { plain(cell, of: cells) }
    }

    private mutating func safe(
        in location: Template.Location,
        writing value: (inout ByteBuffer) -> Void
    ) {
        switch location {
        case .text: text(writing: value)
        case .attribute: quoted(writing: value)
        case .address:
            quoted { buffer in
                let start = buffer.count
                value(&buffer)
                let isSafe = buffer.withBytes { LinkAddress.isSafe($0.extracting(start...)) }
                guard !isSafe else { return }
                buffer.truncate(to: start)
                // An address without effect: the browser stays on the page.
                buffer.append("#" as StaticString)
            }
        case .addressPart:
            var whole = ByteBuffer(minimumCapacity: 64)
            value(&whole)
            quoted { buffer in
                whole.withBytes {
                    PercentEncoding.encode($0, for: .scriptComponent, into: &buffer)
                }
            }
        }
    }
}

extension Template.Location {
    fileprivate var ofKnownAddress: Self { self == .address ? .attribute : self }
}

extension Page {
    fileprivate borrowing func writeAddress(
        ofRow row: Int,
        _ link: RowLink,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        switch link {
        case .own: withID(ofRow: row) { context.links.writeRow($0, to: &buffer) }
        case .address(let address): context.links.writeAddress(address, to: &buffer)
        case .absent, .closed: break
        }
    }
}

extension CellBuffer {
    fileprivate borrowing func counts(_ index: Int) -> Bool {
        self[index] == .boolean(false) ? false : showsSomething(index)
    }
}
