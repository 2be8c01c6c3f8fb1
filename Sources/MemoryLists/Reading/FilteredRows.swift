import Listings

/// The rows of another sequence that match the conditions of a query.
///
/// Cursors name positions in the whole order, so they stay valid when their rows move. With
/// conditions, sections without a matching row are left out. Collapsed sections keep their counts.
struct FilteredRows<Base: RowSequence>: RowSequence {
    private let base: Base
    private let selection: FilterResult

    /// The base may be an equal one.
    init(_ selection: FilterResult, of base: Base) {
        self.base = base
        self.selection = selection
    }

    private var rows: [Int] { selection.rows }
    private var parts: [FilterResult.Part] { selection.parts }

    var rowCount: Int { selection.rowCount }
    var count: Int { rows.count }
    var width: Int { base.width }
    var hasUniqueIDs: Bool { base.hasUniqueIDs }
    var sectionCount: Int { parts.count }

    func section(at index: Int) -> SequenceSection { parts[index].section }

    func sectionIndex(ofRow row: Int) -> Int {
        Self.first(of: parts.count) { parts[$0].section.rows.upperBound > row }
    }

    func model(ofRow row: Int) -> Int { base.model(ofRow: rows[row]) }

    func partCount(ofRow row: Int) -> Int { base.partCount(ofRow: rows[row]) }

    func leadingValue(ofRow row: Int) -> CellValue { base.leadingValue(ofRow: rows[row]) }

    func firstRow(after cursor: Cursor) throws(SourceError) -> Int {
        position(of: try base.firstRow(after: cursor))
    }

    func firstRow(notBefore cursor: Cursor) throws(SourceError) -> Int {
        position(of: try base.firstRow(notBefore: cursor))
    }

    func firstSection(after cursor: Cursor) throws(SourceError) -> Int {
        part(of: try base.firstSection(after: cursor))
    }

    func firstSection(notBefore cursor: Cursor) throws(SourceError) -> Int {
        part(of: try base.firstSection(notBefore: cursor))
    }

    func cursor(ofRow row: Int, _ signature: UInt32) throws(SourceError) -> Cursor {
        try base.cursor(ofRow: rows[row], signature)
    }

    func cursor(ofSection index: Int, _ signature: UInt32) throws(SourceError) -> Cursor {
        try base.cursor(ofSection: parts[index].index, signature)
    }

    func append(_ rows: Range<Int>, to page: inout Page) throws(SourceError) {
        var start = rows.lowerBound
        while start < rows.upperBound {
            var end = start + 1
            while end < rows.upperBound, self.rows[end] == self.rows[end - 1] + 1 { end += 1 }
            try base.append(self.rows[start]..<self.rows[end - 1] + 1, to: &page)
            start = end
        }
    }

    private func position(of row: Int) -> Int { Self.first(of: rows.count) { rows[$0] >= row } }

    private func part(of index: Int) -> Int {
        Self.first(of: parts.count) { parts[$0].index >= index }
    }
}
