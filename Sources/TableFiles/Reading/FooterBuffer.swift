internal import Bytes
internal import Listings

/// The last records of a delimited file, which may be its footer: totals, sources and remarks.
///
/// A record that may belong to a footer waits here. A row after it makes it a row. At the end of the
/// file, the waiting records are the footer. A record may belong to a footer if
/// - it begins with a remark, such as `Source: …` or `(c) …`, and has too few or too many values,
/// - it begins with a word such as `Total`, and has an empty field or follows a blank line,
/// - it is shorter than the header and follows a blank line, unless rows follow such lines too,
/// - or it is shorter than the header and follows a record that waits.
///
/// Once such a record was a row, all further ones are rows.
struct FooterBuffer {
    struct Waiting {
        let record: FileRecord.Copy
        let end: FileLocation
    }

    private static let maximumLines = 10

    /// The number of the last records that are no rows; nil detects it.
    private let count: Int?
    private var waiting: [Waiting] = []
    /// Records before it in `waiting` are taken.
    private var next = 0
    private(set) var isReleased = false
    private var hasRows = false
    private var isAfterBlankLine = false
    /// Whether blank lines stand between rows, so that they separate no footer.
    private var haveRowsBlankLines = false
    /// Whether such lines stand between rows, so that they are rows at the end too.
    private var haveRowsSuchLines = false
    /// The place of the last row if it begins with a word such as `Total`.
    private(set) var totals: FileLocation?

    init(count: Int?) { self.count = count }

    /// Those that are the footer if the file ends here.
    var lines: [FileLocation] {
        guard !isReleased, count.map({ waiting.count - next <= $0 }) ?? true else { return [] }
        return waiting[next...].map(\.record.location)
    }

    mutating func addBlankLine() { isAfterBlankLine = true }

    /// True if the record waits; otherwise it is a row.
    mutating func takes(
        _ record: borrowing FileRecord,
        at end: FileLocation,
        columnCount: Int
    ) -> Bool {
        guard count != 0, columnCount > 1 else { return false }
        if count == nil {
            let isFooter = mayBeFooter(record, columnCount)
            let isWaiting = next < waiting.count
            if !isFooter, isAfterBlankLine, hasRows { haveRowsBlankLines = true }
            isAfterBlankLine = false
            if !isFooter { hasRows = true }
            if !isFooter, isWaiting { haveRowsSuchLines = true }
            guard isFooter || isWaiting else { return false }
            isReleased = !isFooter || waiting.count == Self.maximumLines
        }
        waiting.append(Waiting(record: record.copy(), end: end))
        if let count, waiting.count - next > count { isReleased = true }
        return true
    }

    mutating func release() -> Waiting? {
        guard isReleased else { return nil }
        let first = waiting[next]
        next += 1
        if count != nil || next == waiting.count { isReleased = false }
        // The array moves its elements once for many records.
        if next == waiting.count || next > 64 {
            waiting.removeFirst(next)
            next = 0
        }
        return first
    }

    private mutating func mayBeFooter(
        _ record: borrowing FileRecord,
        _ columnCount: Int
    ) -> Bool {
        let first = (0..<record.count).first { !record.isNull($0) } ?? 0
        let isTotals = record.withField(first) { Self.isTotals($0) }
        totals = isTotals ? record.location : nil
        guard hasRows, !haveRowsSuchLines else { return false }
        let isSeparated = isAfterBlankLine && !haveRowsBlankLines
        if isTotals {
            return isSeparated || !(0..<columnCount).allSatisfy { !record.isNull($0) }
        }
        let isShort = record.count < columnCount || record.isNull(columnCount - 1)
        if isShort || record.count > columnCount, record.withField(first, { Self.isRemark($0) }) {
            return true
        }
        guard isShort, isSeparated || next < waiting.count else { return false }
        // Spreadsheets fill up short lines with separators.
        return record.count < columnCount
            || (0..<record.count).allSatisfy { $0 == first || record.isNull($0) }
    }

    /// The words before the colon of a remark.
    private static let remarks: Set = [
        "source", "sources", "data source", "note", "notes", "footnote", "last updated", "updated",
        "quelle", "quellen", "anmerkung", "anmerkungen", "hinweis", "stand", "fuente", "nota",
    ]
    /// The beginnings of remarks without a colon.
    private static let marks = ["(c)", "\u{A9}", "copyright "]
    /// The words that alone name a line of totals.
    private static let totalsWords: Set = [
        "total", "totals", "grand total", "sum", "gesamt", "insgesamt", "summe", "gesamtsumme",
        "totale", "somme",
    ]
    private static let longestWord = 12

    private static func isRemark(_ utf8: borrowing Span<UInt8>) -> Bool {
        let beginning = lowered(utf8.extracting(first: longestWord + 1))
        guard !marks.contains(where: beginning.hasPrefix) else { return true }
        return beginning.firstIndex(of: ":").map { remarks.contains(String(beginning[..<$0])) }
            ?? false
    }

    private static func isTotals(_ utf8: borrowing Span<UInt8>) -> Bool {
        // This is called for each record, and few fields are so short and begin so.
        guard utf8.count > 2, utf8.count <= longestWord + 1,
            "tgis".utf8.contains(utf8[0] | 0x20)
        else { return false }
        let word = lowered(utf8)
        return totalsWords.contains(word.hasSuffix(":") ? String(word.dropLast()) : word)
    }

    private static func lowered(_ utf8: borrowing Span<UInt8>) -> String {
        String(decoding: utf8).lowercased()
    }
}
