import Bytes
import Listings

final class HTMLRowLayout {
    struct Field {
        let column: Int
        let open: Range<Int>
    }

    let text: HTMLMarkup
    private(set) var encoders: [RowEncoder<HTMLRowFormat>] = []

    let header: Int?
    let fields: [Field]
    let width: Int
    /// Whether narrow screens show some columns only when they are asked for all.
    let hidesColumns: Bool
    let bulkActions: [RowAction]
    let hasBoxes: Bool
    let hasActions: Bool
    let templates: TemplateSet
    private let rowTemplates: [String: RowTemplate]
    var columnCount: Int { width + (hasActions ? 1 : 0) + (hasBoxes ? 1 : 0) }

    let canMove: Bool

    init(
        _ page: borrowing Page,
        _ templates: TemplateSet,
        in context: RenderContext,
        language: PageLanguage
    ) {
        let canMove = context.canMove
        let columns = page.schema.columns
        let shown = page.shownColumns
        let leading = page.leadingColumns
        let isLabelled = page.isLabelled
        header = shown.first
        var fields: [Field] = []
        fields.reserveCapacity(shown.count)
        let isBare =
            page.isFlat && !canMove && !page.hasActions && context.references.isEmpty
            && (!templates.hasRows || page.query.columns != nil)
        text = HTMLMarkup { writer in
            for index in shown.dropFirst() {
                let start = writer.count
                writer.markup("<td")
                writer.classes(
                    of: columns[index],
                    isLabel: context.references[index] != nil,
                    isID: page.schema.keyColumns.contains(index),
                    isFurther: !leading.contains(index)
                )
                if isLabelled { writer.attribute("data-l", columns[index].label) }
                writer.markup(">")
                let open = start..<writer.count
                fields.append(Field(column: index, open: open))
            }
        }
        self.fields = fields
        hidesColumns = leading.count < shown.count
        width = max(1, shown.count)
        self.canMove = canMove
        hasActions = page.hasActions || canMove
        bulkActions = page.hasActions ? page.bulkActions : []
        hasBoxes = context.bulkRules != nil || !bulkActions.isEmpty
        self.templates = templates
        var rowTemplates: [String: RowTemplate] = [:]
        // A request that chooses columns is shown them, without templates.
        if templates.hasRows, page.query.columns == nil {
            for row in 0..<page.rowCount where rowTemplates[page.kind(ofRow: row)] == nil {
                let kind = page.kind(ofRow: row)
                rowTemplates[kind] = templates.row(kind).map { RowTemplate($0, page.schema) }
            }
        }
        self.rowTemplates = rowTemplates
        context.use(templates, of: page)
        // Room for a row is made for each of its cells once.
        let isShownOnce = page.query.columns == nil || Set(shown).count == shown.count
        var stem = ByteBuffer(minimumCapacity: 64)
        guard isBare, context.cellTemplates.isEmpty, isShownOnce,
            context.links.writeRowStem(to: &stem)
        else {
            return
        }
        for kind in page.kinds.indices {
            let format = HTMLRowFormat(
                values: .of(language),
                styles: columns.map(CellStyle.init),
                location: CellLocation(images: context.imageHosts)
            )
            encoders.append(encoder(ofKind: kind, of: page, stem: stem, format))
        }
    }

    func template(_ kind: String) -> RowTemplate? {
        rowTemplates.isEmpty ? nil : rowTemplates[kind]
    }
}

extension HTMLRowLayout {
    fileprivate func encoder(
        ofKind position: Int,
        of page: borrowing Page,
        stem: borrowing ByteBuffer,
        _ format: HTMLRowFormat
    ) -> RowEncoder<HTMLRowFormat> {
        let kind = page.kinds[position]
        let locations = kind.cellOfColumn
        return RowEncoder(kind: position, cellCount: kind.cellCount, format: format) { row, slot in
            row.append("<tr id=\"r-")
            slot(.init(.id), row)
            row.append("\" data-kind=\"")
            HTMLEscape.write(kind.name.utf8.span, to: &row)
            row.append("\">")
            if hasBoxes {
                row.append("<td><input form=\"act\" type=\"checkbox\" name=\"id\" value=\"")
                slot(.init(.id), row)
                row.append("\" aria-label=\"")
                HTMLEscape.write(format.values.select.start.utf8.span, to: &row)
                slot(.init(.id), row)
                HTMLEscape.write(format.values.select.end.utf8.span, to: &row)
                row.append("\"></td>")
            }
            row.append("<th scope=\"row\">")
            row.append("<a dir=\"auto\" href=\"")
            stem.withBytes { HTMLEscape.write($0, to: &row) }
            slot(.init(.id), row)
            row.append("\">")
            slot(header.flatMap { locations[$0] }.map { .init(.name, $0) } ?? .init(.id), row)
            row.append("</a></th>")
            for field in fields {
                text.write(field.open, to: &row)
                if let location = locations[field.column] {
                    let isPlain = format.styles[field.column].isPlain
                    slot(.init(.cell, location, column: field.column, isPlain: isPlain), row)
                }
                row.append("</td>")
            }
            row.append("</tr>\n")
        }
    }
}

extension Page {
    fileprivate var bulkActions: [RowAction] {
        var actions: [RowAction] = []
        for row in 0..<rowCount {
            for action in self.actions(ofRow: row)
            where action.method == .post && action.input == nil {
                if !actions.contains(where: { $0.name == action.name }) { actions.append(action) }
            }
        }
        return actions
    }
}

extension HTMLWriter {
    /// Appends ` class="…"` for the cells of a column: how it is set, and whether narrow screens show
    /// it only with all columns.
    ///
    /// Labels of foreign keys are set as texts.
    mutating func classes(
        of column: Column,
        isLabel: Bool,
        isID: Bool = false,
        isFurther: Bool = false
    ) {
        let width: StaticString? = column.notes.width.map { $0 == .wide ? "wd" : "nw" }
        let names: [StaticString] = [
            isLabel ? nil : column.type.cellClass, isID ? "id" : nil, width, isFurther ? "x" : nil,
        ].compactMap(\.self)
        for (location, name) in names.enumerated() {
            markup(location == 0 ? " class=\"" : " ")
            markup(name)
        }
        if !names.isEmpty { markup("\"") }
    }
}

extension Page {
    /// The columns that narrow screens show at once: ten by priority, and those that are sorted or
    /// filtered.
    var leadingColumns: Set<Int> {
        let shown = shownColumns
        guard shown.count > 10 else { return Set(shown) }
        // The first column heads the rows.
        let ranked = shown.dropFirst().enumerated().sorted { left, right in
            (schema.columns[left.element].priority, left.offset)
                < (schema.columns[right.element].priority, right.offset)
        }
        var leading = Set(shown.prefix(1) + ranked.prefix(9).map(\.element))
        leading.formUnion(query.filters.compactMap(\.column))
        for case .column(let column) in query.sort.map(\.field) { leading.insert(column) }
        return leading.intersection(shown)
    }

    /// Whether each cell names its column for narrow screens and paper.
    ///
    /// On large pages the script does that, because the names would double their size.
    var isLabelled: Bool { query.shape.limit * shownColumns.count < 10_000 }
}
