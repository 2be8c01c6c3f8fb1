public import Bytes

/// A buffer of cells, with fixed-size slots and one byte buffer for their texts.
///
/// All rows of a page share one buffer, which is reused from page to page. So a cell costs no
/// reference count and no allocation.
public struct CellBuffer: ~Copyable, Sendable {
    @usableFromInline
    package struct Slot: BitwiseCopyable, Sendable {
        @usableFromInline
        package enum Kind: UInt8, BitwiseCopyable, Sendable {
            case null, text, integer, real, boolean, date, decimal, timestamp, json, bytes

            /// Whether the cell has bytes among the texts.
            @inlinable var hasText: Bool {
                switch self {
                case .text, .decimal, .timestamp, .json: true
                case .null, .integer, .real, .boolean, .date, .bytes: false
                }
            }
        }
        @usableFromInline package internal(set) var kind: Kind
        /// Whether `displays` has a text for this cell.
        @usableFromInline package internal(set) var hasDisplay = false
        @usableFromInline var length: UInt32 = 0
        /// The value's bits, or the offset of a text's first byte.
        @usableFromInline var payload: UInt64 = 0

        @inlinable
        init(kind: Kind, length: UInt32 = 0, payload: UInt64 = 0) {
            self.kind = kind
            self.length = length
            self.payload = payload
        }
    }

    // Usable from inline, so that other modules can specialize `withText`, because unspecialized
    // calls of its closure are slow.
    @usableFromInline var slots = UniqueArray<Slot>(minimumCapacity: 64)
    @usableFromInline var bytes = ByteBuffer(minimumCapacity: 4096)
    @usableFromInline var displays: [Int: Range<Int>] = [:]
    /// Whether byte cells were appended, which are shown with the URLs of their contents.
    @usableFromInline package internal(set) var hasBytes = false

    /// Creates an empty buffer.
    public init() {}

    /// The number of cells.
    public var count: Int { slots.count }

    /// Removes the cells and retains the memory.
    public mutating func removeAll() {
        slots.removeAll()
        bytes.removeAll(keepingAtMost: 1 << 20)
        if !displays.isEmpty { displays.removeAll(keepingCapacity: true) }
        hasBytes = false
    }

    /// Reserves padding after the texts, because copies read whole blocks.
    mutating func reservePadding() { bytes.reserve(ByteBuffer.padding) }

    /// Removes the cells from an index on.
    ///
    /// Their bytes stay until all cells are removed.
    mutating func truncate(to count: Int) {
        slots.truncate(to: count)
        if !displays.isEmpty { displays = displays.filter { $0.key < count } }
    }

    // Appending releases no object of the caller. The attribute lets callers omit reference
    // counting for the texts that they pass and for the owners of these.

    /// Appends a cell without a value.
    ///
    /// - Parameter display: The display text, for example `No city`; nil leaves it to the renderer.
    @_effects(releasenone)
    public mutating func appendNull(display: String? = nil) {
        slots.append(Slot(kind: .null))
        if let display { setDisplay(display) }
    }

    /// Appends a text.
    @_effects(releasenone)
    @inline(never)
    public mutating func append(_ text: String) { appendText(text.utf8.span) }

    /// Appends a text, or a null cell for nil.
    @_effects(releasenone)
    public mutating func append(_ text: String?) {
        if let text { append(text) } else { appendNull() }
    }

    /// Appends a text in UTF-8.
    ///
    /// The caller guarantees that it is well-formed.
    @_effects(releasenone)
    @inline(never)
    public mutating func append(utf8: borrowing Span<UInt8>) { appendText(utf8) }

    @inline(__always)
    private mutating func appendText(_ utf8: borrowing Span<UInt8>) {
        let start = bytes.count
        bytes.appendHere(utf8)
        appendSlot(textFrom: start)
    }

    /// Appends a text given as bytes, if all bytes are ASCII.
    ///
    /// - Returns: Whether the text was appended.
    @inlinable
    package mutating func append(ascii bytes: borrowing Span<UInt8>) -> Bool {
        let start = self.bytes.count
        guard self.bytes.append(bytes, unless: { $0 & 0x8080_8080_8080_8080 }) else { return false }
        appendSlot(textFrom: start)
        return true
    }

    /// Appends a whole number.
    @_effects(releasenone)
    public mutating func append(_ integer: Int64) {
        slots.append(Slot(kind: .integer, payload: UInt64(bitPattern: integer)))
    }

    /// Appends a number, which may be infinite or NaN.
    @_effects(releasenone)
    public mutating func append(_ real: Double) {
        slots.append(Slot(kind: .real, payload: real.bitPattern))
    }

    /// Appends a Boolean.
    @_effects(releasenone)
    public mutating func append(_ boolean: Bool) {
        slots.append(Slot(kind: .boolean, payload: boolean ? 1 : 0))
    }

    /// Appends a day.
    @_effects(releasenone)
    public mutating func append(_ date: CalendarDate) {
        slots.append(Slot(kind: .date, payload: UInt64(bitPattern: date.ordinal)))
    }

    /// Appends any value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - display: The display text; nil if it is that of the value.
    @_effects(releasenone)
    public mutating func append(_ value: CellValue, display: String? = nil) {
        switch value {
        case .null: appendNull()
        case .text(let text): append(text)
        case .integer(let integer): append(integer)
        case .real(let real): append(real)
        case .boolean(let boolean): append(boolean)
        case .date(let date): append(date)
        case .decimal(let decimal): append(decimal)
        case .timestamp(let timestamp): append(timestamp)
        case .json(let text): append(text.utf8.span, as: .json)
        case .bytes(let bytes): append(bytes)
        }
        if let display { setDisplay(display) }
    }

    /// Appends a copy of another buffer's cell with its display text.
    @_effects(releasenone)
    public mutating func append(_ index: Int, of other: borrowing CellBuffer) {
        let slot = other.slots[index]
        if other.hasBytes { hasBytes = true }
        if slot.kind.hasText {
            let start = bytes.count
            other.withText(index) { bytes.append($0) }
            appendSlot(textFrom: start, slot.kind)
        } else {
            slots.append(Slot(kind: slot.kind, payload: slot.payload))
        }
        if let display = other.display(index) { setDisplay(display) }
    }

    package mutating func append(_ range: Range<Int>, of other: borrowing CellBuffer) {
        guard other.displays.isEmpty else {
            for index in range { append(index, of: other) }
            return
        }
        if other.hasBytes { hasBytes = true }
        // Texts have the order of their cells, so one copy suffices.
        var texts: Range<Int>?
        for index in range {
            var slot = other.slots[index]
            if slot.kind.hasText {
                let start = Int(slot.payload)
                let first = texts?.lowerBound ?? start
                texts = first..<start + Int(slot.length)
                slot.payload = UInt64(bytes.count + start - first)
            }
            slots.append(slot)
        }
        if let texts { bytes.append(texts, of: other.bytes) }
    }

    @inlinable
    @inline(__always)
    mutating func appendSlot(textFrom start: Int, _ kind: Slot.Kind = .text) {
        let length = bytes.count &- start
        precondition(length <= Int(UInt32.max), "a cell of \(length) bytes")
        slots.append(
            Slot(
                kind: kind,
                length: UInt32(truncatingIfNeeded: length),
                payload: UInt64(truncatingIfNeeded: start)
            )
        )
    }

    private mutating func setDisplay(_ display: String) {
        setDisplay(display, of: slots.count - 1)
    }

    mutating func setDisplay(_ display: String, of index: Int) {
        let start = bytes.count
        bytes.append(display)
        displays[index] = start..<bytes.count
        var slot = slots[index]
        slot.hasDisplay = true
        slots[index] = slot
    }
}

extension CellBuffer {
    /// A cell without the bytes of its text.
    public enum Cell: Hashable, Sendable {
        /// No value.
        case null
        /// A text; see ``CellBuffer/withText(_:_:)`` for its bytes.
        case text
        /// A whole number.
        case integer(Int64)
        /// A number of double precision.
        case real(Double)
        /// A Boolean.
        case boolean(Bool)
        /// A day.
        case date(CalendarDate)
        /// An exact number, stored as text.
        case decimal
        /// A date with a time of day, stored as text.
        case timestamp
        /// An array or object, stored as text.
        case json
        /// Bytes, with their number.
        case bytes(Int)
    }

    /// The cell at an index, without its text.
    public subscript(_ index: Int) -> Cell {
        let slot = slots[index]
        switch slot.kind {
        case .null: return .null
        case .text: return .text
        case .integer: return .integer(Int64(bitPattern: slot.payload))
        case .real: return .real(Double(bitPattern: slot.payload))
        case .boolean: return .boolean(slot.payload == 1)
        case .date:
            guard let date = CalendarDate(ordinal: Int64(bitPattern: slot.payload)) else {
                preconditionFailure("cell \(index) holds \(slot.payload), which is no date")
            }
            return .date(date)
        case .decimal: return .decimal
        case .timestamp: return .timestamp
        case .json: return .json
        case .bytes: return .bytes(Int(slot.payload))
        }
    }

    @inlinable
    package func isText(_ index: Int) -> Bool { slots[index].kind == .text }

    /// Calls a closure with the UTF-8 of a text, exact number, timestamp or JSON, else with no
    /// bytes.
    @inlinable
    public borrowing func withText<R, E: Error>(
        _ index: Int,
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let slot = slots[index]
        let start = slot.kind.hasText ? Int(slot.payload) : 0
        let range = start..<start + Int(slot.length)
        return try bytes.withBytes { (span) throws(E) in try body(span.extracting(range)) }
    }

    /// Appends the value of a cell in the spelling of ``CellValue/plainText``.
    borrowing func writePlainText(_ index: Int, to text: inout ByteBuffer) {
        switch self[index] {
        case .text, .decimal, .timestamp, .json: withText(index) { text.append($0) }
        case .integer(let integer): text.append(decimal: integer)
        case .null, .real, .boolean, .date, .bytes: text.append(value(index).plainText)
        }
    }

    /// Whether a cell has the value of another buffer's cell, byte for byte.
    package borrowing func isEqual(
        _ index: Int,
        to otherIndex: Int,
        of other: borrowing CellBuffer
    ) -> Bool {
        guard self[index] == other[otherIndex] else { return false }
        return withText(index) { own in
            other.withText(otherIndex) { own.equals($0) }
        }
    }

    /// Whether a cell has a display text.
    @inlinable
    public func hasDisplay(_ index: Int) -> Bool { slots[index].hasDisplay }

    /// Calls a closure with the UTF-8 of a cell's display text; empty if it has none.
    @inlinable
    public borrowing func withDisplay<R, E: Error>(
        _ index: Int,
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let range = displays[index] ?? 0..<0
        return try bytes.withBytes { (span) throws(E) in try body(span.extracting(range)) }
    }

    /// A copy of the value of a cell.
    public borrowing func value(_ index: Int) -> CellValue {
        switch self[index] {
        case .null: .null
        case .text: .text(withText(index) { String(decoding: $0) })
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .boolean(let boolean): .boolean(boolean)
        case .date(let date): .date(date)
        case .json: .json(withText(index) { String(decoding: $0) })
        case .bytes(let count): .bytes(ByteValue(count: count))
        case .decimal, .timestamp: exactValue(index)
        }
    }

    /// A copy of a cell's display text; nil if it has none.
    public borrowing func display(_ index: Int) -> String? {
        hasDisplay(index) ? withDisplay(index) { String(decoding: $0) } : nil
    }
}

extension String {
    /// Decodes UTF-8; malformed sequences become U+FFFD.
    package init(decoding utf8: borrowing Span<UInt8>) {
        self = utf8.text
    }
}

extension CellBuffer {
    @inlinable
    @inline(__always)
    package borrowing func withTexts<R>(_ body: (borrowing ByteBuffer) -> R) -> R { body(bytes) }

    /// Whether any cell has a text for people that differs from its value.
    @inlinable package var hasDisplays: Bool { !displays.isEmpty }

    /// Lends all cells and their texts.
    ///
    /// - Precondition: The texts are padded.
    @inlinable
    @inline(__always)
    package borrowing func withCells<R>(
        _ body: (_ cells: borrowing Span<Slot>, _ texts: borrowing PaddedSpan) -> R
    ) -> R {
        bytes.withPadded { bytes in slots.withSpan(0..<slots.count) { body($0, bytes) } }
    }

    /// A bound for the bytes of the text of each of some cells that follow one another.
    ///
    /// - Returns: A number that none exceeds, less than twice the greatest.
    @inlinable
    package func longestText(_ range: Range<Int>) -> Int {
        slots.withSpan(range) { cells in
            var bits: UInt32 = 0
            for index in cells.indices { bits |= cells[index].length }
            return Int(bits)
        }
    }

    /// The bytes of the texts of cells that follow one another, with those that people read instead.
    @inlinable
    package func writtenLength(_ range: Range<Int>) -> Int {
        var length = 0
        for index in range {
            let slot = slots[index]
            length &+= Int(slot.length)
            if slot.hasDisplay { length &+= displays[index]?.count ?? 0 }
        }
        return length
    }
}

extension CellBuffer.Slot {
    /// The place of the text among all texts; means nothing where the cell has none.
    @inlinable
    @inline(__always)
    package var textStart: Int { Int(truncatingIfNeeded: payload) }

    @inlinable
    @inline(__always)
    package var textCount: Int { Int(length) }

    /// The whole number; means nothing of other cells.
    @inlinable
    @inline(__always)
    package var integer: Int64 { Int64(bitPattern: payload) }
}

extension CellBuffer {
    /// Appends an exact number.
    @_effects(releasenone)
    public mutating func append(_ decimal: ExactDecimal) {
        append(decimal.text.utf8.span, as: .decimal)
    }

    /// Appends a date with a time of day.
    @_effects(releasenone)
    public mutating func append(_ timestamp: Timestamp) {
        append(timestamp.text.utf8.span, as: .timestamp)
    }

    /// Appends the number of bytes, because pages do not show the bytes.
    @_effects(releasenone)
    public mutating func append(_ bytes: ByteValue) {
        slots.append(Slot(kind: .bytes, payload: UInt64(bytes.count)))
        hasBytes = true
    }

    /// Appends a value that is stored as text.
    ///
    /// - Parameters:
    ///   - utf8: The text. The caller guarantees that it is valid for the kind.
    ///   - kind: A kind with a text.
    @_effects(releasenone)
    package mutating func append(_ utf8: borrowing Span<UInt8>, as kind: TextKind) {
        let start = bytes.count
        bytes.append(utf8)
        appendSlot(textFrom: start, kind.slot)
    }

    package enum TextKind {
        case text
        case decimal
        case timestamp
        case json

        fileprivate var slot: Slot.Kind {
            switch self {
            case .text: .text
            case .decimal: .decimal
            case .timestamp: .timestamp
            case .json: .json
            }
        }
    }

    borrowing func exactValue(_ index: Int) -> CellValue {
        let text = withText(index) { String(decoding: $0) }
        if self[index] == .decimal, let decimal = ExactDecimal(text) ?? ExactDecimal(json: text) {
            return .decimal(decimal)
        }
        return Timestamp(text).map(CellValue.timestamp) ?? .text(text)
    }
}
