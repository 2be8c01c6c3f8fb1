import Bytes

/// A parser of field lines up to the empty line, in a head or after the last chunk (RFC 9112 §5).
///
/// Each byte is read once, wherever reads split the section: the parser remembers its position and
/// phase. Refusals depend on the bytes only, never on the splits.
struct FieldSectionParser: Sendable {
    struct Bounds: Sendable {
        /// Bytes of a line without its end.
        let lineBytes: Int
        /// Bytes of all lines with their ends.
        let sectionBytes: Int
        let fields: Int
    }

    /// The result of reading up to the end of the next line.
    enum Step: Sendable {
        case needsMoreBytes
        case field(FieldLine)
        /// The section is complete, and `position` is after its empty line.
        case end
    }

    private enum Phase: Sendable {
        case lineStart
        case name
        case value(nameEnd: Int)
        case lineFeed(nameEnd: Int)
        case finalLineFeed
    }

    private(set) var position: Int

    private let start: Int
    private var lineStart: Int
    private var fieldCount = 0
    private var phase: Phase = .lineStart

    init(start: Int) {
        self.start = start
        position = start
        lineStart = start
    }

    /// Reads up to the end of the next line.
    ///
    /// The bytes are all from the beginning, including those of earlier calls. The bounds are the
    /// same for every call.
    /// Throws the rule that the line breaks.
    mutating func next(
        _ bytes: borrowing Span<UInt8>,
        bounds: Bounds
    ) throws(ParseError) -> Step {
        while position < bytes.count {
            switch phase {
            case .lineStart:
                try beginLine(with: bytes[position], bounds: bounds)
            case .name:
                try readName(bytes, bounds: bounds)
            case .value(let nameEnd):
                try readValue(bytes, nameEnd: nameEnd, bounds: bounds)
            case .lineFeed(let nameEnd):
                try endLine(with: bytes[position], bounds: bounds)
                return .field(fieldLine(in: bytes, nameEnd: nameEnd))
            case .finalLineFeed:
                guard bytes[position] == .lineFeed else { throw .bareCarriageReturn }
                position += 1
                return .end
            }
        }
        return .needsMoreBytes
    }

    private mutating func beginLine(
        with byte: UInt8,
        bounds: Bounds
    ) throws(ParseError) {
        lineStart = position
        guard byte != .carriageReturn else {
            position += 1
            phase = .finalLineFeed
            return
        }
        guard !byte.isBlank else { throw .foldedField }
        guard fieldCount < bounds.fields else { throw .tooManyFields(limit: bounds.fields) }
        phase = .name
    }

    private mutating func readName(
        _ bytes: borrowing Span<UInt8>,
        bounds: Bounds
    ) throws(ParseError) {
        let stop = try skip(.token, in: bytes, bounds: bounds)
        guard let stop else { return }
        guard stop == UInt8(ascii: ":"), position > lineStart else {
            throw stop == .lineFeed ? .bareLineFeed : .malformedFieldName
        }
        phase = .value(nameEnd: position)
        position += 1
    }

    private mutating func readValue(
        _ bytes: borrowing Span<UInt8>,
        nameEnd: Int,
        bounds: Bounds
    ) throws(ParseError) {
        let stop = try skip(.fieldValue, in: bytes, bounds: bounds)
        guard let stop else { return }
        guard stop == .carriageReturn else {
            throw stop == .lineFeed ? .bareLineFeed : .controlByteInField
        }
        phase = .lineFeed(nameEnd: nameEnd)
        position += 1
    }

    private mutating func skip(
        _ byteClass: ByteClass,
        in bytes: borrowing Span<UInt8>,
        bounds: Bounds
    ) throws(ParseError) -> UInt8? {
        let lineBound = lineStart + bounds.lineBytes
        let sectionBound = start + bounds.sectionBytes
        let bound = min(bytes.count, lineBound, sectionBound)
        var index = position
        while index < bound, byteClass.contains(bytes[index]) { index += 1 }
        position = index
        guard index < bytes.count else { return nil }
        if bytes[index] == .carriageReturn { return .carriageReturn }
        if index >= lineBound { throw .fieldLineTooLong(limit: bounds.lineBytes) }
        if index >= sectionBound { throw .fieldSectionTooLarge(limit: bounds.sectionBytes) }
        return bytes[index]
    }

    private mutating func endLine(with byte: UInt8, bounds: Bounds) throws(ParseError) {
        guard byte == .lineFeed else { throw .bareCarriageReturn }
        position += 1
        fieldCount += 1
        phase = .lineStart
        guard position - start <= bounds.sectionBytes else {
            throw .fieldSectionTooLarge(limit: bounds.sectionBytes)
        }
    }

    /// The line has just ended.
    private func fieldLine(in bytes: borrowing Span<UInt8>, nameEnd: Int) -> FieldLine {
        var first = nameEnd + 1
        var end = position - 2
        while first < end, bytes[first].isBlank { first += 1 }
        while end > first, bytes[end - 1].isBlank { end -= 1 }
        return FieldLine(
            known: WellKnownFieldName.named(bytes.extracting(lineStart..<nameEnd)),
            name: lineStart..<nameEnd,
            value: first..<end
        )
    }
}

/// The start of each field line of a response, so that a lookup need not search the bytes.
///
/// No start is used if a response has more lines than the maximum.
struct FieldLineOffsets: Sendable {
    private static let other = UInt32(UInt8.max)
    private static let maximumCount = 16

    /// The start of each line, shifted above eight bits for its field.
    private var starts = InlineArray<16, UInt32>(repeating: 0)
    private var count = 0

    private(set) var isComplete = true

    mutating func removeAll() {
        count = 0
        isComplete = true
    }

    /// Nil for a field that is not known.
    mutating func add(_ field: WellKnownFieldName?, at start: Int) {
        guard count < Self.maximumCount, start < 1 << 16 else { return forget() }
        starts[count] = UInt32(start) << 8 | (field.map { UInt32($0.rawValue) } ?? Self.other)
        count += 1
    }

    /// The lines were recorded elsewhere.
    ///
    /// The start of the first one is 0 there.
    mutating func add(_ others: FieldLineOffsets, at start: Int) {
        guard others.isComplete, count + others.count <= Self.maximumCount, start < 1 << 16
        else { return forget() }
        for index in 0..<others.count {
            starts[count + index] = others.starts[index] + UInt32(start) << 8
        }
        count += others.count
    }

    mutating func forget() { isComplete = false }

    /// Without the end of the line; nil if there is none.
    ///
    /// Valid only while all lines are known.
    func line(of field: WellKnownFieldName, end: Int) -> Range<Int>? {
        for index in 0..<count where starts[index] & 0xFF == UInt32(field.rawValue) {
            let start = Int(starts[index] >> 8)
            let next = index + 1 < count ? Int(starts[index + 1] >> 8) : end
            return start..<next - 2
        }
        return nil
    }
}

struct FieldLine: Sendable, Hashable {
    var known: WellKnownFieldName?
    var name: Range<Int>
    /// Without the blanks around it.
    var value: Range<Int>
}

extension Span where Element == UInt8 {
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index <= count - 8 {
            let found = WordSearch.bytes(equalTo: byte, in: word(at: index))
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }

    func isMadeOf(_ allowed: ByteClass) -> Bool {
        for index in indices where !allowed.contains(self[index]) { return false }
        return true
    }

    func firstByte(outside allowed: ByteClass) -> UInt8? {
        for index in indices where !allowed.contains(self[index]) { return self[index] }
        return nil
    }

    func equalsIgnoringCase(_ lowercased: String) -> Bool {
        let other = lowercased.utf8Span.span
        guard count == other.count else { return false }
        for index in indices where self[index].lowercasedASCII != other[index] { return false }
        return true
    }
}

extension ArraySlice where Element == UInt8 {
    func firstByte(outside allowed: ByteClass) -> UInt8? {
        for index in indices where !allowed.contains(self[index]) { return self[index] }
        return nil
    }

    func equalsIgnoringCase(_ lowercased: String) -> Bool {
        span.equalsIgnoringCase(lowercased)
    }

    func trimmingBlanks() -> ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isBlank }),
            let last = lastIndex(where: { !$0.isBlank })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

/// The members of a list in a field value, split at commas and trimmed of blanks.
///
/// Empty members are included (RFC 9110 §5.6.1). A comma in a quoted string separates too, so the
/// members must be tokens.
struct ListMembers: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>?

    init(_ value: ArraySlice<UInt8>) {
        rest = value
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let value = rest else { return nil }
        let comma = value.firstIndex(of: UInt8(ascii: ","))
        rest = comma.map { value[($0 + 1)...] }
        return value[..<(comma ?? value.endIndex)].trimmingBlanks()
    }
}
