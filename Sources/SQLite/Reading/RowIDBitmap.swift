import Database
import Listings

/// The rows with the words of recent searches, which `roster_gathered` looks up.
final class RowIDBitmap {
    /// A set of rows by their SQLite row numbers, with one bit each.
    struct RowSet {
        /// The range of possible numbers.
        let range: ClosedRange<Int64>
        private(set) var count = 0
        private var bits: [UInt64]

        /// The maximum distance between the first and last number, for 16 MB of bits.
        private static let maximumSpan: Int64 = 1 << 27

        /// Creates an empty set.
        ///
        /// The result is nil if the range is too large.
        init?(_ range: ClosedRange<Int64>) {
            guard let span = Self.span(of: range), span < Self.maximumSpan else { return nil }
            self.range = range
            bits = [UInt64](repeating: 0, count: Int(span) / 64 + 1)
        }

        /// The distance between the first and last number, or nil if it overflows.
        static func span(of range: ClosedRange<Int64>) -> Int64? {
            let (span, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
            return overflows ? nil : span
        }

        func contains(_ row: Int64) -> Bool {
            guard range.contains(row) else { return false }
            let place = Int(row - range.lowerBound)
            return bits[place / 64] >> UInt64(place % 64) & 1 == 1
        }

        /// Adds a row within the range.
        mutating func insert(_ row: Int64) {
            guard range.contains(row), !contains(row) else { return }
            let place = Int(row - range.lowerBound)
            bits[place / 64] |= 1 << UInt64(place % 64)
            count += 1
        }
    }

    /// The rows to look up.
    private var rows: RowSet?
    /// The rows with the preceding terms, or nil for the first term.
    private var candidates: RowSet?
    private var kept = LRUCache<[[CellValue]], RowSet>(capacity: 4)

    /// Selects cached rows of words for further look-ups.
    ///
    /// - Returns: The number of rows, or nil if they are not cached.
    func take(_ words: [[CellValue]]) -> Int? {
        candidates = nil
        rows = kept.take(words)
        return rows?.count
    }

    /// Begins to gather the rows of a term among those with the preceding terms.
    func begin(_ empty: RowSet) {
        candidates = rows
        rows = empty
    }

    /// Adds a row with the term.
    func insert(_ row: Int64) {
        guard candidates?.contains(row) ?? true else { return }
        rows?.insert(row)
    }

    /// Caches the gathered rows.
    func keep(_ words: [[CellValue]]) {
        candidates = nil
        if let rows { kept.insert(rows, for: words) }
    }

    /// Discards all rows.
    func removeAll() {
        rows = nil
        candidates = nil
        kept.removeAll()
    }

    /// The number of selected rows.
    var count: Int { rows?.count ?? 0 }

    /// Whether a row is among the selected ones.
    func contains(_ row: Int64) -> Bool { rows?.contains(row) ?? false }
}
