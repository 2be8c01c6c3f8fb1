import Bytes

extension Page {
    /// Writes the text of a `PageDigest` for the page to ``windowName``.
    ///
    /// Pages that show the same have the same name, whatever changed in the rest of the list. The
    /// name is empty if it would not fit into a URL.
    ///
    /// - Parameters:
    ///   - list: A fingerprint of the list's definition.
    ///   - query: A fingerprint of the page's query.
    /// - Complexity: O(cells).
    public mutating func nameWindow(list: UInt32, query: UInt32) {
        var bytes = ByteBuffer(minimumCapacity: 0)
        swap(&bytes, &windowBytes)
        bytes.removeAll()
        hashKindsOfWindow()
        writeWindow(list: list, query: query, to: &bytes)
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
        query: UInt32,
        to bytes: inout ByteBuffer
    ) {
        bytes.append(WindowFormat.version)
        bytes.append(bigEndian: UInt64(list), bytes: 4)
        bytes.append(bigEndian: UInt64(query), bytes: 4)
        bytes.append(windowTraits.rawValue)
        writeLongIDs(to: &bytes)
        bytes.append(short: UInt64(sections.count))
        for index in sections.indices {
            let name =
                sections[index].location.name
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

    borrowing func writeName(ofRow row: Int, to room: inout ByteWriter) {
        room.append(id: number(ofRow: row))
        room.append(bigEndian: contentHash(ofRow: row, after: kindHashes), bytes: 6)
    }

    /// The number of a row's id.
    ///
    /// For a long id, which precedes all rows, it is the mark alone.
    private borrowing func number(ofRow row: Int) -> UInt64 {
        let id = locationOfID(ofRow: row)
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
    package static let version: UInt8 = 6
    package static let maximumLength = 7_680
    package static let seed: UInt64 = 0x526F_7374_6572_0001
    /// The most bytes that a row needs: 9 for its id, 6, and the 8 that are written at once.
    static let longestItem = 24

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
