import Bytes

/// A hash of contents, the same for the same seed in every process.
///
/// Full-width multiplication mixes the words. A secret seed prevents others from choosing contents
/// with equal hashes.
package struct ContentHash {
    package private(set) var value: UInt64

    private static var factor: UInt64 { 0x9E37_79B9_7F4A_7C15 }
    /// A constant that keeps a zero product from cancelling all further input.
    private static var constant: UInt64 { 0xD6E8_FEB8_6659_FD93 }

    package init(seed: UInt64) { value = seed }

    package mutating func add(_ number: UInt64) {
        let product = (value ^ number).multipliedFullWidth(by: Self.factor)
        value = product.high ^ product.low ^ Self.constant
    }

    mutating func add(_ bytes: borrowing Span<UInt8>) {
        // The length comes first, so that no text is a prefix of another one.
        add(UInt64(bytes.count))
        addWords(of: bytes, from: 0, count: bytes.count)
    }

    /// Adds bytes whose number has been added.
    ///
    /// The last eight may be added twice.
    @inline(__always)
    private mutating func addWords(of bytes: borrowing Span<UInt8>, from start: Int, count: Int) {
        let last = start + count - 8
        guard last >= start else { return add(bytes.extracting(start..<start + count).gathered) }
        var index = start
        while index < last {
            add(bytes.word(at: index))
            index += 8
        }
        add(bytes.word(at: last))
    }

    package mutating func add(_ text: String) { add(text.utf8.span) }

    /// nil and an empty text have different hashes.
    mutating func add(_ text: String?) {
        add(text == nil ? 0 : 1)
        if let text { add(text) }
    }

    /// Adjacent texts form one run of bytes, which is hashed 16 bytes at a time.
    ///
    /// The shape holds the limits of the texts and is added last.
    @inline(__always)
    package mutating func add(_ range: Range<Int>, of cells: borrowing CellBuffer) {
        // A local copy avoids a load and a store for each word.
        var hash = self
        var shape = UInt64(range.count)
        var (start, end) = (0, -1)
        cells.slots.withSpan(range) { slots in
            for index in slots.indices {
                let slot = slots[index]
                shape = (shape ^ slot.shape) &* Self.factor
                if slot.kind.hasText {
                    let first = Int(truncatingIfNeeded: slot.payload)
                    if first != end {
                        if end > start { hash.add(run: start..<end, of: cells.bytes) }
                        start = first
                    }
                    end = first &+ Int(slot.length)
                } else if slot.kind != .null {
                    hash.add(slot.payload)
                }
                // The display text follows the text of its cell.
                if slot.hasDisplay { cells.withDisplay(range.lowerBound + index) { hash.add($0) } }
            }
        }
        if end > start { hash.add(run: start..<end, of: cells.bytes) }
        hash.add(shape)
        self = hash
    }

    /// Adds texts whose lengths are part of the shape.
    ///
    /// The last bytes may be added twice.
    @inline(__always)
    private mutating func add(run range: Range<Int>, of bytes: borrowing ByteBuffer) {
        guard range.count >= 16 else {
            return bytes.withBytes { add(shortRun: $0.extracting(range)) }
        }
        var hash = self
        bytes.forEachPair(in: range) { hash.add($0, $1) }
        self = hash
    }

    private mutating func add(shortRun bytes: borrowing Span<UInt8>) {
        guard bytes.count >= 8 else { return add(bytes.gathered) }
        add(bytes.word(at: 0), bytes.word(at: bytes.count - 8))
    }

    /// Adds two words with one multiplication.
    @inline(__always)
    private mutating func add(_ first: UInt64, _ second: UInt64) {
        // Each is mixed with other bits of the previous value, so that swapped words differ.
        let other = value << 32 | value >> 32
        let product = (value ^ first).multipliedFullWidth(by: second ^ other ^ Self.factor)
        value = product.high ^ product.low ^ Self.constant
    }
}

extension CellBuffer.Slot {
    /// The kind of a cell, the length of its text, and whether it has a display text.
    ///
    /// Clients hold hashes of it, so another raw value of a kind needs another
    /// ``WindowFormat/version``.
    @inline(__always)
    fileprivate var shape: UInt64 {
        UInt64(length) << 8 | UInt64(kind.rawValue) << 1 | (hasDisplay ? 1 : 0)
    }
}

extension Page {
    /// Without the rows of the section.
    package func contentHash(ofSection index: Int, named name: SectionName) -> UInt64 {
        var hash = name.hash
        hash.add(sections[index].isContinued ? 1 : 0)
        hash.add(sections[index].hasMore ? 1 : 0)
        hash.add(sections[index].next)
        for value in sections[index].aggregates { hash.add(value ?? .null) }
        return hash.bits
    }

    package func hashesOfKinds(seed: UInt64) -> [ContentHash] {
        kinds.map { ContentHash(seed: seed, kind: $0.name) }
    }

    /// Creates the initial hashes for window names, for kinds added since the last page.
    mutating func hashKindsOfWindow() {
        for kind in kinds[kindHashes.count...] {
            kindHashes.append(ContentHash(seed: WindowFormat.seed, kind: kind.name))
        }
    }

    /// The hash has 48 bits.
    @inline(__always)
    package func contentHash(ofRow row: Int, after beginnings: [ContentHash]) -> UInt64 {
        let slot = rowSlots[row]
        var hash = beginnings[slot.kind]
        if let revision = slot.revision { hash.add(UInt64(bitPattern: revision)) }
        if !below.isEmpty, let below = below[row] {
            hash.add(UInt64(truncatingIfNeeded: below.count))
            hash.add(UInt64(truncatingIfNeeded: below.shown))
        }
        if !failures.isEmpty, let failure = failures[row] {
            hash.add(failure.rawValue)
        } else if let first = slot.firstCell {
            hash.add(Int(first)..<Int(first) + kinds[slot.kind].cellCount, of: cells)
        }
        if slot.extras >= 0 { hash.add(extras[Int(slot.extras)]) }
        return hash.bits
    }
}

extension ContentHash {
    /// The low 48 bits, which are short enough to send.
    ///
    /// One of 2^48 changes goes unnoticed.
    var bits: UInt64 { value & 0xFFFF_FFFF_FFFF }

    fileprivate init(seed: UInt64, kind: String) {
        self.init(seed: seed)
        add(kind)
    }

    fileprivate mutating func add(_ cursor: Cursor?) {
        guard let cursor else { return add(0) }
        add(1)
        add(UInt64(cursor.signature))
        add(cursor.side == .back ? 1 : 0)
        // In a list's own order, the section key alone holds its position and epoch.
        switch cursor.section {
        case .whole: add(0)
        case .named(let id):
            add(1)
            add(id.rawValue)
        case .value(let value):
            add(2)
            add(value)
        }
        guard let row = cursor.row else { return add(0) }
        add(UInt64(row.values.count))
        for value in row.values { add(value) }
    }

    fileprivate mutating func add(_ value: CellValue) {
        switch value {
        case .null: add(0)
        case .text(let text):
            add(1)
            add(text)
        case .integer(let integer):
            add(2)
            add(UInt64(bitPattern: integer))
        case .real(let real):
            add(3)
            add(real.bitPattern)
        case .boolean(let boolean): add(boolean ? 5 : 4)
        case .date(let date):
            add(6)
            add(UInt64(bitPattern: date.ordinal))
        case .decimal(let decimal):
            add(7)
            add(decimal.text)
        case .timestamp(let timestamp):
            add(8)
            add(timestamp.text)
        case .json(let text):
            add(9)
            add(text)
        case .bytes(let bytes):
            add(10)
            add(bytes.hexadecimal)
        }
    }

    fileprivate mutating func add(_ extras: RowDecorations) {
        switch extras.link {
        case .own: add(0)
        case .absent: add(1)
        case .closed: add(2)
        case .address(let address):
            add(3)
            add(address)
        }
        for action in extras.actions {
            add(action.name)
            add(action.title)
            add(action.method.rawValue)
            add(action.isDestructive ? 1 : 0)
            add(action.confirm)
        }
        if let outline = extras.outline {
            add(UInt64(truncatingIfNeeded: outline.level))
            add(outline.isExpanded.map { $0 ? 2 : 1 } ?? 0)
            add(outline.toggle)
        }
        add(UInt64(truncatingIfNeeded: extras.span ?? 0))
        add(extras.canExpand ? 1 : 0)
    }
}

extension Page {
    /// Writes the text of a `PageDigest` for the page to ``windowName``.
    ///
    /// Pages that show the same have the same name, whatever changed in the rest of the list. The
    /// name is empty if it would not fit into a URL.
    ///
    /// - Parameters:
    ///   - list: A fingerprint of the list's definition.
    ///   - question: A fingerprint of the page's query.
    /// - Complexity: O(cells).
    public mutating func nameWindow(list: UInt32, question: UInt32) {
        var bytes = ByteBuffer(minimumCapacity: 0)
        swap(&bytes, &windowBytes)
        bytes.removeAll()
        hashKindsOfWindow()
        writeWindow(list: list, question: question, to: &bytes)
        let checksum = bytes.withBytes { WindowFormat.checksum($0) }
        bytes.append(bigEndian: UInt64(checksum), bytes: 4)
        windowName.removeAll()
        if bytes.count <= WindowFormat.maximumLength / 4 * 3 {
            Base64URL.encode(bytes, to: &windowName)
        }
        swap(&bytes, &windowBytes)
    }

    private borrowing func writeWindow(
        list: UInt32,
        question: UInt32,
        to bytes: inout ByteBuffer
    ) {
        bytes.append(WindowFormat.version)
        bytes.append(bigEndian: UInt64(list), bytes: 4)
        bytes.append(bigEndian: UInt64(question), bytes: 4)
        bytes.append(windowTraits.rawValue)
        writeLongIDs(to: &bytes)
        bytes.append(short: UInt64(sections.count))
        for index in sections.indices {
            let name =
                sections[index].place.name
                ?? SectionName(sections[index].info, seed: WindowFormat.seed)
            let rows = sections[index].rows
            let hash = contentHash(ofSection: index, named: name)
            bytes.append(atMost: (rows.count + 2) * WindowFormat.longestItem) { room in
                room.append(id: name.number)
                room.append(bigEndian: hash, bytes: 6)
                room.append(short: UInt64(rows.count))
                for row in rows { writeName(ofRow: row, to: &room) }
            }
        }
    }

    private borrowing func writeLongIDs(to bytes: inout ByteBuffer) {
        var writer = LongIDWriter()
        for section in sections {
            writer.append(section.info.id.rawValue.utf8.span, to: &bytes)
            for row in section.rows { withID(ofRow: row) { writer.append($0, to: &bytes) } }
        }
        bytes.append(LongIDWriter.end)
    }

    /// The hashes of kinds must exist.
    borrowing func writeName(ofRow row: Int, to room: inout ByteWriter) {
        room.append(id: number(ofRow: row))
        room.append(bigEndian: contentHash(ofRow: row, after: kindHashes), bytes: 6)
    }

    /// The number of a row's id.
    ///
    /// For a long id, which precedes all rows, it is the mark alone.
    private borrowing func number(ofRow row: Int) -> UInt64 {
        let id = placeOfID(ofRow: row)
        if ids.isPadded, (1...8).contains(id.count),
            let number = IDNumber.number(ofShort: ids.word(id), count: id.count)
        {
            return number
        }
        return withID(ofRow: row) { IDNumber.readable($0) ?? IDNumber.hashMark }
    }

    /// The traits of the page besides its sections and rows.
    public var windowTraits: WindowTraits {
        var traits: WindowTraits = []
        if previous != nil { traits.insert(.hasPrevious) }
        if next != nil { traits.insert(.hasNext) }
        if hasActions { traits.insert(.hasActions) }
        if isStale { traits.insert(.isStale) }
        return traits
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends a number in groups of seven bits, the lowest first (LEB128).
    mutating func append(short value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends the number of an id; what kind of number it is says the lowest two bits.
    @inline(__always)
    fileprivate mutating func append(id number: UInt64) {
        if number < 0x20 {
            append(UInt8(truncatingIfNeeded: number << 2))
        } else {
            append(longID: number)
        }
    }

    private mutating func append(longID number: UInt64) {
        if number & IDNumber.hashMark != 0 {
            append(short: 2)
        } else if number & IDNumber.textMark != 0 {
            let count = IDNumber.textCount(number)
            append(short: count << 2 | 1)
            append(bigEndian: number, bytes: Int(count))
        } else {
            append(short: number << 2)
        }
    }
}

/// The format of window names, the same on every server.
package enum WindowFormat {
    /// The first byte of each name.
    package static let version: UInt8 = 6
    /// The maximum length of a name as text.
    package static let maximumLength = 7_680
    package static let seed: UInt64 = 0x526F_7374_6572_0001
    /// The most bytes that a row needs: 9 for its id, 6, and the 8 that are written at once.
    static let longestItem = 24

    /// The checksum at the end of a name.
    package static func checksum(_ bytes: borrowing Span<UInt8>) -> UInt32 {
        var hash = ContentHash(seed: seed)
        hash.add(bytes)
        return UInt32(truncatingIfNeeded: hash.value)
    }
}

/// The traits of a window besides its sections and rows.
public struct WindowTraits: OptionSet, Hashable, Sendable {
    /// The traits as bits.
    public let rawValue: UInt8
    /// Rows precede the window.
    public static let hasPrevious = WindowTraits(rawValue: 1)
    /// Rows follow the window.
    public static let hasNext = WindowTraits(rawValue: 2)
    /// Some of its rows offer actions.
    public static let hasActions = WindowTraits(rawValue: 4)
    /// Its rows are the last ones of a source that cannot be refreshed now.
    public static let isStale = WindowTraits(rawValue: 8)

    /// Creates traits from bits.
    ///
    /// Unknown bits are preserved.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// A writer for the long ids of a window, which follow one another in its token.
///
/// Bytes that an id shares with the previous one are omitted (front coding). A UUID is 16 bytes. An
/// id begins with a number: twice the shared bytes plus 1, or plus 2 for a UUID. For a text, the
/// number of other bytes follows, and then these bytes.
package struct LongIDWriter: ~Copyable {
    /// The byte after the last id.
    package static let end: UInt8 = 0

    private var previous = ByteBuffer(minimumCapacity: 0)
    private var current = ByteBuffer(minimumCapacity: 0)

    /// Appends an id, unless a number represents it.
    mutating func append(_ id: borrowing Span<UInt8>, to bytes: inout ByteBuffer) {
        guard IDNumber.readable(id) == nil else { return }
        current.removeAll()
        let isUUID = UUIDText.append(id, to: &current)
        if !isUUID { current.append(id) }
        let count = current.count
        let shared = previous.withBytes { old in
            current.withBytes { new in
                (0..<min(old.count, new.count)).first { old[$0] != new[$0] }
                    ?? min(old.count, new.count)
            }
        }
        bytes.append(short: UInt64(shared << 1) + (isUUID ? 2 : 1))
        if !isUUID { bytes.append(short: UInt64(count - shared)) }
        bytes.append(shared..<count, of: current)
        swap(&previous, &current)
    }
}

/// The usual text of a UUID: 36 characters, in lower case (RFC 9562 §4).
package enum UUIDText {
    /// False for a text that is no UUID.
    ///
    /// Nothing is appended then.
    static func append(_ text: borrowing Span<UInt8>, to bytes: inout ByteBuffer) -> Bool {
        guard text.count == 36 else { return false }
        let start = bytes.count
        var high: UInt8?
        for index in 0..<36 {
            if isDash(index) {
                if text[index] == UInt8(ascii: "-") { continue }
            } else if let digit = text[index].lowercaseHexadecimalValue {
                if let first = high { bytes.append(first << 4 | digit) }
                high = high == nil ? digit : nil
                continue
            }
            bytes.truncate(to: start)
            return false
        }
        return true
    }

    package static func text(_ bytes: [UInt8]) -> String {
        var text = ByteBuffer(minimumCapacity: 36)
        for byte in bytes {
            if isDash(text.count) { text.append(UInt8(ascii: "-")) }
            for digit in [byte >> 4, byte & 0xF] {
                text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
            }
        }
        return text.text()
    }

    private static func isDash(_ index: Int) -> Bool {
        index == 8 || index == 13 || index == 18 || index == 23
    }
}

/// Ids as numbers.
///
/// Short ids can be decoded, long ids are hashed.
package enum IDNumber {
    // The two highest bits of a number say what it is.

    package static let textMark: UInt64 = 1 << 62
    package static let hashMark: UInt64 = 1 << 63

    /// A decimal number below 2^62 or a text of at most seven bytes is encoded.
    ///
    /// Other ids are hashed to 63 bits.
    package static func number(of id: String, seed: UInt64) -> UInt64 {
        number(of: id.utf8.span, seed: seed)
    }

    /// The id is UTF-8.
    package static func number(of id: borrowing Span<UInt8>, seed: UInt64) -> UInt64 {
        if let number = readable(id) { return number }
        var hash = ContentHash(seed: seed)
        hash.add(id)
        return hash.value | hashMark
    }

    /// The number of a short id in UTF-8; nil for a long id, which is hashed.
    package static func readable(_ id: borrowing Span<UInt8>) -> UInt64? {
        if let number = decimal(id), number < textMark { return number }
        guard id.count <= 7 else { return nil }
        var number: UInt64 = 0
        for index in 0..<id.count { number = number << 8 | UInt64(id[index]) }
        return number | textMark | UInt64(id.count) << 56
    }

    /// The first byte is lowest.
    ///
    /// Nil if the number is a hash; see ``number(of:seed:)``.
    @inline(__always)
    static func number(ofShort id: UInt64, count: Int) -> UInt64? {
        // Leading zeros extend each number to eight digits: 1 and 12 become 00000001 and 00000012.
        let zeros: UInt64 = 0x3030_3030_3030_3030
        let free = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        let text = id &<< free | (free == 0 ? 0 : zeros &>> (64 &- free))
        let digits = text ^ zeros
        let isDecimal =
            (digits | (digits &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0
            && (count == 1 || id & 0xFF != 0x30)
        if isDecimal {
            // Combines pairs of digits, then pairs of pairs, then both halves.
            let twos = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
            let fours = (twos &* 100 &+ twos >> 16) & 0x0000_FFFF_0000_FFFF
            return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
        }
        guard count <= 7 else { return nil }
        return id.byteSwapped >> free | textMark | UInt64(truncatingIfNeeded: count) << 56
    }

    /// Nil unless the text is the canonical decimal spelling.
    private static func decimal(_ text: borrowing Span<UInt8>) -> UInt64? {
        guard (1...19).contains(text.count), text[0] != UInt8(ascii: "0") || text.count == 1 else {
            return nil
        }
        // 19 digits are less than 2^64.
        var number: UInt64 = 0
        for index in 0..<text.count {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) else { return nil }
            number = number * 10 + UInt64(text[index] - UInt8(ascii: "0"))
        }
        return number
    }

    /// Nil for a hashed id.
    package static func id(of number: UInt64) -> String? {
        if number & hashMark != 0 { return nil }
        if number & textMark == 0 { return "\(number)" }
        let count = textCount(number)
        let bytes = (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The encoded text has this number of bytes.
    static func textCount(_ number: UInt64) -> UInt64 { (number ^ textMark) >> 56 }
}
