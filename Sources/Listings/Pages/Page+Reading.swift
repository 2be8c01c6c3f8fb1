public import Bytes

extension Page {
    /// The number of rows on the page.
    public var rowCount: Int { rowSlots.count }

    /// The columns to show, as positions in the schema.
    public var shownColumns: [Int] { query.columns ?? Array(schema.columns.indices) }

    /// The kind of a row: the identifier its controller was registered under.
    public func kind(ofRow row: Int) -> String { kinds[rowSlots[row].kind].name }

    /// The revision of a row's model; nil when none is kept.
    public func revision(ofRow row: Int) -> Int64? { rowSlots[row].revision }

    /// Lends the UTF-8 of a row's id.
    @inlinable
    public borrowing func withID<R, E: Error>(
        ofRow row: Int,
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let range = rowSlots[row].idStart..<rowSlots[row].idEnd
        return try ids.withBytes { (span) throws(E) in try body(span.extracting(range)) }
    }

    /// A copy of a row's id.
    public borrowing func id(ofRow row: Int) -> String {
        withID(ofRow: row) { String(decoding: $0) }
    }

    /// The place in ``cells`` of a row's cell under a column of the schema; nil when the row has no
    /// such cell, because its kind lacks the column or its controller failed.
    public func cell(row: Int, column: Int) -> Int? {
        guard failures.isEmpty || failures[row] == nil, let first = rowSlots[row].firstCell,
            let offset = kinds[rowSlots[row].kind].cellOfColumn[column]
        else { return nil }
        return Int(first) + offset
    }

    /// A copy of the value of a row under a column of the schema; null when it has no such cell.
    public borrowing func value(row: Int, column: Int) -> CellValue {
        guard let cell = cell(row: row, column: column) else { return .null }
        return cells.value(cell)
    }
}

extension Page {
    /// Where a row leads.
    public func link(ofRow row: Int) -> RowLink { extras(ofRow: row)?.link ?? .own }

    /// What can be done with a row, in the order to offer it.
    public func actions(ofRow row: Int) -> [RowAction] { extras(ofRow: row)?.actions ?? [] }

    /// A row's place in an outline; nil outside of one.
    public func outline(ofRow row: Int) -> RowOutline? { extras(ofRow: row)?.outline }

    /// Whether rows below a row can be asked for.
    public func canExpand(row: Int) -> Bool { extras(ofRow: row)?.canExpand ?? false }

    /// How many columns of a grid a row takes; nil is 1.
    public func span(ofRow row: Int) -> Int? { extras(ofRow: row)?.span }

    /// Whether anything can be done with any row.
    ///
    /// - Complexity: O(rows that have more than their cells).
    public var hasActions: Bool { extras.contains { !$0.actions.isEmpty } }

    /// A copy of a row; nil for one that cannot be shown.
    public borrowing func row(at row: Int) -> Row? {
        guard failures[row] == nil, let first = rowSlots[row].firstCell else { return nil }
        let range = Int(first)..<Int(first) + kinds[rowSlots[row].kind].cellCount
        return copy(of: row, cells: range, extras(ofRow: row) ?? RowExtras())
    }

    private func extras(ofRow row: Int) -> RowExtras? {
        let place = rowSlots[row].extras
        return place < 0 ? nil : extras[Int(place)]
    }

    /// A copy of a row whose cells are in a range.
    borrowing func copy(of row: Int, cells range: Range<Int>, _ extras: RowExtras) -> Row {
        var values: [CellValue] = []
        var displays: [Int: String] = [:]
        for index in range {
            values.append(cells.value(index))
            if let display = cells.display(index) { displays[index - range.lowerBound] = display }
        }
        return Row(
            id: id(ofRow: row),
            kind: kind(ofRow: row),
            cells: values,
            displays: displays,
            link: extras.link,
            actions: extras.actions,
            level: extras.outline?.level,
            isExpanded: extras.outline?.isExpanded,
            toggle: extras.outline?.toggle,
            span: extras.span
        )
    }
}
