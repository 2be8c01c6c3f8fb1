/// Where the lines of an answer begin, so that those asked for need not be looked for.
///
/// Of an answer with more lines than are remembered none is.
struct FieldLineStarts: Sendable {
    /// The line of a field that is not known.
    private static let other = UInt32(UInt8.max)
    private static let maximumCount = 16

    /// Where a line begins, above eight bits that say which field it is.
    private var starts = InlineArray<16, UInt32>(repeating: 0)
    private var count = 0

    /// Whether all lines are known.
    private(set) var isComplete = true

    /// Takes note that there are no lines.
    mutating func removeAll() {
        count = 0
        isComplete = true
    }

    /// Takes note that a line begins.
    ///
    /// - Parameters:
    ///   - field: Its field; nil for one that is not known.
    ///   - start: Where it begins.
    mutating func add(_ field: KnownField?, at start: Int) {
        guard count < Self.maximumCount, start < 1 << 16 else { return forget() }
        starts[count] = UInt32(start) << 8 | (field.map { UInt32($0.rawValue) } ?? Self.other)
        count += 1
    }

    /// Takes note that lines begin as they do elsewhere.
    ///
    /// - Parameters:
    ///   - others: Where they begin there, the first of them at 0.
    ///   - start: Where the first begins.
    mutating func add(_ others: FieldLineStarts, at start: Int) {
        guard others.isComplete, count + others.count <= Self.maximumCount, start < 1 << 16
        else { return forget() }
        for index in 0..<others.count {
            starts[count + index] = others.starts[index] + UInt32(start) << 8
        }
        count += others.count
    }

    /// Takes note that lines came or went that are not told of.
    mutating func forget() { isComplete = false }

    /// Where the first line of a field lies, without its end; nil when there is none.
    ///
    /// Asked only while all lines are known.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - end: Where the last line ends.
    /// - Returns: Its place among the bytes of all lines.
    func line(of field: KnownField, end: Int) -> Range<Int>? {
        for index in 0..<count where starts[index] & 0xFF == UInt32(field.rawValue) {
            let start = Int(starts[index] >> 8)
            let next = index + 1 < count ? Int(starts[index + 1] >> 8) : end
            return start..<next - 2
        }
        return nil
    }
}
