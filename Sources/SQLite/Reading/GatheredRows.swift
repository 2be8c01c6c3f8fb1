import Database
import Listings

/// The rows that have the words of the last searches, for `roster_gathered` to look them up.
final class GatheredRows {
    /// Some rows, by the numbers that the engine gives them: a bit each.
    struct RowSet {
        /// The numbers there may be.
        let range: ClosedRange<Int64>
        private(set) var count = 0
        private var bits: [UInt64]

        /// The most numbers there may be between the first and the last: 16 MB of bits.
        private static let maximumSpan: Int64 = 1 << 27

        /// Creates a set without rows; the result is nil where the numbers lie too far apart.
        init?(_ range: ClosedRange<Int64>) {
            guard let span = Self.span(of: range), span < Self.maximumSpan else { return nil }
            self.range = range
            bits = [UInt64](repeating: 0, count: Int(span) / 64 + 1)
        }

        /// How far the last number lies behind the first; nil where no number says it.
        static func span(of range: ClosedRange<Int64>) -> Int64? {
            let (span, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
            return overflows ? nil : span
        }

        /// Whether a row is among them.
        func contains(_ row: Int64) -> Bool {
            guard range.contains(row) else { return false }
            let place = Int(row - range.lowerBound)
            return bits[place / 64] >> UInt64(place % 64) & 1 == 1
        }

        /// Adds a row of the range.
        mutating func insert(_ row: Int64) {
            guard range.contains(row), !contains(row) else { return }
            let place = Int(row - range.lowerBound)
            bits[place / 64] |= 1 << UInt64(place % 64)
            count += 1
        }
    }

    /// The rows that are looked up.
    private var rows: RowSet?
    /// The rows that have the words before the one that is gathered; nil for the first.
    private var candidates: RowSet?
    private var kept = LRUCache<[[CellValue]], RowSet>(capacity: 4)

    /// Looks up the rows of words in what follows, where they are kept.
    ///
    /// - Returns: Their number.
    func take(_ words: [[CellValue]]) -> Int? {
        candidates = nil
        rows = kept.take(words)
        return rows?.count
    }

    /// Begins to gather the rows of a term, of those that have the terms before it.
    func begin(_ empty: RowSet) {
        candidates = rows
        rows = empty
    }

    /// Adds a row that has the term.
    func insert(_ row: Int64) {
        guard candidates?.contains(row) ?? true else { return }
        rows?.insert(row)
    }

    /// Keeps what was gathered.
    func keep(_ words: [[CellValue]]) {
        candidates = nil
        if let rows { kept.insert(rows, for: words) }
    }

    /// Forgets everything.
    func removeAll() {
        rows = nil
        candidates = nil
        kept.removeAll()
    }

    /// The number of rows that are looked up.
    var count: Int { rows?.count ?? 0 }

    /// Whether a row is among those that are looked up.
    func contains(_ row: Int64) -> Bool { rows?.contains(row) ?? false }
}
