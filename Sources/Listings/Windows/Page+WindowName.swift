import Bytes

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

    /// Writes the ids that no number represents, in the order of the window.
    private borrowing func writeLongIDs(to bytes: inout ByteBuffer) {
        var writer = LongIDWriter()
        for section in sections {
            writer.append(section.info.id.rawValue.utf8.span, to: &bytes)
            for row in section.rows { withID(ofRow: row) { writer.append($0, to: &bytes) } }
        }
        bytes.append(LongIDWriter.end)
    }

    /// Writes a row's id and the hash of its contents.
    ///
    /// - Precondition: The hashes of kinds exist.
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
    /// The version of the format, the first byte of each name.
    package static let version: UInt8 = 5
    /// The maximum length of a name as text.
    package static let maximumLength = 7_680
    /// The seed of the hashes.
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
    /// Appends the 16 bytes of a UUID.
    ///
    /// - Returns: Whether the text is a UUID. Nothing is appended for any other text.
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

    /// The text of 16 bytes.
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

    /// The mark of a text.
    package static let textMark: UInt64 = 1 << 62
    /// The mark of a hash.
    package static let hashMark: UInt64 = 1 << 63

    /// The number of an id.
    ///
    /// A decimal number below 2^62 or a text of at most seven bytes is encoded. Other ids are
    /// hashed to 63 bits.
    package static func number(of id: String, seed: UInt64) -> UInt64 {
        number(of: id.utf8.span, seed: seed)
    }

    /// The number of an id in UTF-8.
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

    /// The number of an id of one to eight bytes.
    ///
    /// - Parameters:
    ///   - id: The bytes, the first of them lowest.
    ///   - count: The number of bytes.
    /// - Returns: The result of ``number(of:seed:)``; nil if that is a hash.
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

    /// The number whose canonical decimal spelling is the text; nil for any other text.
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

    /// The id of a number; nil for a hashed id.
    package static func id(of number: UInt64) -> String? {
        if number & hashMark != 0 { return nil }
        if number & textMark == 0 { return "\(number)" }
        let count = textCount(number)
        let bytes = (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number of bytes of the encoded text.
    static func textCount(_ number: UInt64) -> UInt64 { (number ^ textMark) >> 56 }
}
