public import Bytes

extension Page {
    /// The number of rows on the page.
    public var rowCount: Int { rowSlots.count }

    /// The columns to show, as positions in the schema.
    public var shownColumns: [Int] { query.columns ?? Array(schema.columns.indices) }

    /// The kind of a row, which is the identifier of its registration.
    public func kind(ofRow row: Int) -> String { kinds[rowSlots[row].kind].name }

    /// The revision of a row's model; nil when there is none.
    public func revision(ofRow row: Int) -> Int64? { rowSlots[row].revision }

    /// Calls a closure with the UTF-8 of a row's id.
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

    /// The position in ``cells`` of a row's cell for a column of the schema.
    ///
    /// - Returns: nil when the kind of the row lacks the column or its controller failed.
    public func cell(row: Int, column: Int) -> Int? {
        guard failures.isEmpty || failures[row] == nil, let first = rowSlots[row].firstCell,
            let offset = kinds[rowSlots[row].kind].cellOfColumn[column]
        else { return nil }
        return Int(first) + offset
    }

    /// A copy of a row's value for a column of the schema; null when there is no such cell.
    public borrowing func value(row: Int, column: Int) -> CellValue {
        guard let cell = cell(row: row, column: column) else { return .null }
        return cells.value(cell)
    }
}

extension Page {
    /// The link of a row.
    public func link(ofRow row: Int) -> RowLink { extras(ofRow: row)?.link ?? .own }

    /// The actions of a row, in their order.
    public func actions(ofRow row: Int) -> [RowAction] { extras(ofRow: row)?.actions ?? [] }

    /// A row's position in an outline; nil for other rows.
    public func outline(ofRow row: Int) -> RowOutline? { extras(ofRow: row)?.outline }

    /// Whether a query may read the children of a row.
    public func canExpand(row: Int) -> Bool { extras(ofRow: row)?.canExpand ?? false }

    /// The number of grid columns that a row takes; nil is 1.
    public func span(ofRow row: Int) -> Int? { extras(ofRow: row)?.span }

    /// Whether any row has actions.
    ///
    /// - Complexity: O(rows with more than cells).
    public var hasActions: Bool { extras.contains { !$0.actions.isEmpty } }

    /// A copy of a row; nil for a failed row.
    public borrowing func row(at row: Int) -> Row? {
        guard failures[row] == nil, let first = rowSlots[row].firstCell else { return nil }
        let range = Int(first)..<Int(first) + kinds[rowSlots[row].kind].cellCount
        return copy(of: row, cells: range, extras(ofRow: row) ?? RowDecorations())
    }

    private func extras(ofRow row: Int) -> RowDecorations? {
        let place = rowSlots[row].extras
        return place < 0 ? nil : extras[Int(place)]
    }

    /// A copy of a row with its range of cells.
    borrowing func copy(of row: Int, cells range: Range<Int>, _ extras: RowDecorations) -> Row {
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
