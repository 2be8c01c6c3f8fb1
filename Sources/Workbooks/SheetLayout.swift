package struct SheetLayout: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package let number: Int
        package let name: String
    }

    package internal(set) var columns: [Column] = []
    package internal(set) var headerRows: Range<Int> = 1..<1
    /// Rows with values before the header, such as a title.
    package internal(set) var skippedRows = 0
    package internal(set) var rowCount = 0
    package internal(set) var errorCount = 0
    package internal(set) var unsolvedCount = 0
    var firstRow = 1

    init() {}
}

package struct SheetOptions: Hashable, Sendable {
    package var hasHeader = true
    /// Rows with values before the header; nil detects them.
    package var skippedRows: Int?

    package init() {}
}

/// Finds the header of a sheet from its first rows.
struct HeaderSearch {
    struct Row {
        let number: Int
        let columns: [Int]
        var texts: [String] = []
        var isText = false
    }

    static let maximumSkippedRows = 20
    static let maximumHeaderRows = 4
    static let maximumTextRows = maximumSkippedRows + maximumHeaderRows
    static let maximumRows = 200

    private(set) var rows: [Row] = []
    var isFull: Bool { rows.count == Self.maximumRows }
    var needsTexts: Bool { rows.count < Self.maximumTextRows }

    mutating func add(_ row: Row) { rows.append(row) }

    /// The rows of the header and the name of each column.
    ///
    /// The header is the first row with more than half of the values of a typical row. A merged
    /// cell counts for the columns that it covers, unless it is the only one: then it is a title.
    /// If a merged cell covers several columns, the next row of texts belongs to the header.
    func header(
        _ merges: [CellBlock],
        _ options: SheetOptions
    ) -> (index: Int, count: Int, names: [Int: String]) {
        let skipped = options.skippedRows ?? (options.hasHeader ? detected(merges) : 0)
        guard options.hasHeader, skipped < rows.count else { return (skipped, 0, [:]) }
        // A single row of numbers or dates is one of data.
        guard skipped + 1 < rows.count || rows[skipped].isText else { return (skipped, 0, [:]) }
        var names: [Int: String] = [:]
        var index = skipped
        while index < rows.count, index - skipped < Self.maximumHeaderRows {
            let row = rows[index]
            guard !row.texts.isEmpty else { break }
            for (column, text) in zip(row.columns, row.texts) {
                for covered in merge(at: row.number, column, merges)?.columns ?? column...column {
                    names[covered] = names[covered].map { "\($0) \(text)" } ?? text
                }
            }
            index += 1
            guard continues(row, before: index, merges) else { break }
        }
        return (skipped, index - skipped, names)
    }

    private func continues(_ row: Row, before next: Int, _ merges: [CellBlock]) -> Bool {
        guard next < rows.count, rows[next].number == row.number + 1, rows[next].isText else {
            return false
        }
        let blocks = row.columns.compactMap { merge(at: row.number, $0, merges) }
        // A tall cell reaches into the next row. A wide one has names below it.
        return blocks.contains { $0.rows.contains(row.number + 1) }
            || blocks.contains { block in
                block.columns.count > 1 && rows[next].columns.contains { block.columns ~= $0 }
            }
    }

    private func merge(at row: Int, _ column: Int, _ merges: [CellBlock]) -> CellBlock? {
        merges.first { $0.rows.lowerBound == row && $0.columns.lowerBound == column }
    }

    private func detected(_ merges: [CellBlock]) -> Int {
        let counts = rows.map(\.columns.count).sorted()
        guard let first = rows.map({ $0.columns.first ?? 0 }).min(), !counts.isEmpty else {
            return 0
        }
        // Of four rows, one has more: titles can be as many as rows in a short sheet.
        let typical = counts[counts.count * 3 / 4]
        let candidates = rows.prefix(Self.maximumSkippedRows + 1)
        let found = candidates.firstIndex { row in
            var count = row.columns.count
            if count > 1 {
                count = row.columns.reduce(0) {
                    $0 + (merge(at: row.number, $1, merges)?.columns.count ?? 1)
                }
            }
            // Only the first column, which holds the numbers of rows, lacks a name.
            let isIndex = count + 1 == typical && row.columns.first != first
            return count * 2 > typical || isIndex
        }
        return found ?? 0
    }
}
