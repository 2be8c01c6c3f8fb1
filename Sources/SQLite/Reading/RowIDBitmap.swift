import Database
import Listings

/// The rows with the words of recent searches, which `roster_gathered` looks up.
final class RowIDBitmap {
    struct RowSet {
        let range: ClosedRange<Int64>
        private(set) var count = 0
        private var bits: [UInt64]

        /// The maximum distance between the first and last number, for 16 MB of bits.
        private static let maximumSpan: Int64 = 1 << 27

        init?(_ range: ClosedRange<Int64>) {
            guard let span = Self.span(of: range), span < Self.maximumSpan else { return nil }
            self.range = range
            bits = [UInt64](repeating: 0, count: Int(span) / 64 + 1)
        }

        static func span(of range: ClosedRange<Int64>) -> Int64? {
            let (span, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
            return overflows ? nil : span
        }

        func contains(_ row: Int64) -> Bool {
            guard range.contains(row) else { return false }
            let position = Int(row - range.lowerBound)
            return bits[position / 64] >> UInt64(position % 64) & 1 == 1
        }

        mutating func insert(_ row: Int64) {
            guard range.contains(row), !contains(row) else { return }
            let position = Int(row - range.lowerBound)
            bits[position / 64] |= 1 << UInt64(position % 64)
            count += 1
        }
    }

    private var rows: RowSet?
    /// The rows with the preceding terms, or nil for the first term.
    private var candidates: RowSet?
    private var kept = LRUCache<[[CellValue]], RowSet>(capacity: 4)

    func take(_ words: [[CellValue]]) -> Int? {
        candidates = nil
        rows = kept.take(words)
        return rows?.count
    }

    func begin(_ empty: RowSet) {
        candidates = rows
        rows = empty
    }

    func insert(_ row: Int64) {
        guard candidates?.contains(row) ?? true else { return }
        rows?.insert(row)
    }

    func keep(_ words: [[CellValue]]) {
        candidates = nil
        if let rows { kept.insert(rows, for: words) }
    }

    func removeAll() {
        rows = nil
        candidates = nil
        kept.removeAll()
    }

    var count: Int { rows?.count ?? 0 }

    func contains(_ row: Int64) -> Bool { rows?.contains(row) ?? false }
}
