/// The start of each field line of a response, so that a lookup need not search the bytes.
///
/// No start is used if a response has more lines than the maximum.
struct FieldLineOffsets: Sendable {
    /// The number that stands for a field that is not a known one.
    private static let other = UInt32(UInt8.max)
    private static let maximumCount = 16

    /// The start of each line, shifted above eight bits for its field.
    private var starts = InlineArray<16, UInt32>(repeating: 0)
    private var count = 0

    /// Whether the starts of all lines are known.
    private(set) var isComplete = true

    /// Records that there are no lines.
    mutating func removeAll() {
        count = 0
        isComplete = true
    }

    /// Records the start of a line.
    ///
    /// - Parameters:
    ///   - field: Its field; nil for one that is not known.
    ///   - start: The index of the line.
    mutating func add(_ field: WellKnownFieldName?, at start: Int) {
        guard count < Self.maximumCount, start < 1 << 16 else { return forget() }
        starts[count] = UInt32(start) << 8 | (field.map { UInt32($0.rawValue) } ?? Self.other)
        count += 1
    }

    /// Records lines that were recorded elsewhere.
    ///
    /// - Parameters:
    ///   - others: Their starts, the first at 0.
    ///   - start: The index of the first line.
    mutating func add(_ others: FieldLineOffsets, at start: Int) {
        guard others.isComplete, count + others.count <= Self.maximumCount, start < 1 << 16
        else { return forget() }
        for index in 0..<others.count {
            starts[count + index] = others.starts[index] + UInt32(start) << 8
        }
        count += others.count
    }

    /// Records that lines were added or removed without their starts.
    mutating func forget() { isComplete = false }

    /// Returns the range of the first line of a field, without its end; nil if there is none.
    ///
    /// Valid only while all lines are known.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - end: The end of the last line.
    /// - Returns: The range in the bytes of all lines.
    func line(of field: WellKnownFieldName, end: Int) -> Range<Int>? {
        for index in 0..<count where starts[index] & 0xFF == UInt32(field.rawValue) {
            let start = Int(starts[index] >> 8)
            let next = index + 1 < count ? Int(starts[index + 1] >> 8) : end
            return start..<next - 2
        }
        return nil
    }
}
