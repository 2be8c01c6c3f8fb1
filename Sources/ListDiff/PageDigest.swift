import Bytes
public import Listings

/// The part of a list that a client holds, as a token.
///
/// Any server can compute the changes since then, without stored state and after any restart. A row
/// takes 6 bytes for its contents, and 1 to 9 for a number or a short text as id. Longer ids
/// precede the rows (``LongIDWriter``): a UUID takes 18 bytes in all.
///
/// One of 2^48 changes of a row stays unnoticed until the next one. Tokens are not signed: a forged
/// one only leads to wrong changes of rows that its sender may read anyway.
public struct PageDigest: Sendable {
    /// An error in the text of a token.
    public enum Refusal: Error, Hashable, Sendable {
        /// The text is malformed.
        case malformed
        /// A server with another token format made it.
        case unknownFormat
    }

    /// The maximum length of the text, so that URLs fit into the 8 KiB that common servers allow.
    public static let maximumLength = WindowFormat.maximumLength
    /// The format of the names.
    ///
    /// Other formats are refused.
    ///
    /// Entity tags have to include the format, because a cached page contains its name.
    public static let format = WindowFormat.version

    /// A fingerprint of the list's definition.
    public let list: UInt32
    /// A fingerprint of the window's query.
    public let query: UInt32
    /// The traits of the window besides its sections and rows.
    public let traits: WindowTraits
    /// The sections and rows.
    public let digest: ListDigest
    let longIDs: [UInt64: String]

    /// Decodes a text that ``Page/nameWindow(list:query:)`` wrote.
    ///
    /// - Complexity: O(characters).
    public init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64URL.decode(text),
            bytes.count >= 5
        else { throw .malformed }
        let end = bytes.count - 4
        var check = WindowTokenReader(bytes: bytes, index: end, end: bytes.count)
        guard try check.integer() == WindowFormat.checksum(bytes.span.extracting(..<end)) else {
            throw .malformed
        }
        var reader = WindowTokenReader(bytes: bytes, index: 0, end: end)
        guard try reader.byte() == Self.format else { throw .unknownFormat }
        list = try reader.integer()
        query = try reader.integer()
        traits = WindowTraits(rawValue: try reader.byte())
        var ids = LongIDNumbers(try reader.longIDs())
        var digest = ListDigest()
        for _ in 0..<(try reader.count()) {
            digest.beginSection(try reader.number(&ids), revision: try reader.hash())
            for _ in 0..<(try reader.count()) {
                digest.appendRow(try reader.number(&ids), revision: try reader.hash())
            }
        }
        guard reader.isAtEnd, ids.rest.isEmpty else { throw .malformed }
        self.digest = digest
        longIDs = ids.found
    }
}

private struct LongIDNumbers {
    private(set) var found: [UInt64: String] = [:]
    private(set) var rest: ArraySlice<String>

    init(_ ids: [String]) { rest = ids[...] }

    mutating func next() -> UInt64? {
        guard let id = rest.popFirst() else { return nil }
        let number = IDNumber.number(of: id, seed: WindowFormat.seed)
        found[number] = id
        return number
    }
}

private struct WindowTokenReader {
    let bytes: [UInt8]
    var index: Int
    let end: Int

    var isAtEnd: Bool { index == end }

    mutating func byte() throws(PageDigest.Refusal) -> UInt8 {
        guard index < end else { throw .malformed }
        defer { index += 1 }
        return bytes[index]
    }

    private mutating func bytes(_ count: Int) throws(PageDigest.Refusal) -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<count { value = value << 8 | UInt64(try byte()) }
        return value
    }

    mutating func integer() throws(PageDigest.Refusal) -> UInt32 {
        UInt32(truncatingIfNeeded: try bytes(4))
    }

    mutating func hash() throws(PageDigest.Refusal) -> UInt64 { try bytes(6) }

    /// A number of sections or rows, each of which takes at least 7 of the following bytes.
    mutating func count() throws(PageDigest.Refusal) -> Int {
        let count = try shortNumber()
        guard count <= UInt64(end - index) / 7 else { throw .malformed }
        return Int(count)
    }

    /// A number in groups of seven bits, the lowest first (LEB128).
    private mutating func shortNumber() throws(PageDigest.Refusal) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = try byte()
            let group = UInt64(byte & 0x7F)
            guard shift < 63 || group <= 1 else { break }
            value |= group << shift
            if byte & 0x80 == 0 { return value }
        }
        throw .malformed
    }

    /// The ids that ``LongIDWriter`` wrote.
    ///
    /// Each belongs to a section or row that follows.
    mutating func longIDs() throws(PageDigest.Refusal) -> [String] {
        var ids: [String] = []
        var previous: [UInt8] = []
        while case let head = try shortNumber(), head != UInt64(LongIDWriter.end) {
            let isUUID = head & 1 == 0
            let shared = (head - 1) >> 1
            guard shared <= UInt64(previous.count), !isUUID || shared <= 16 else {
                throw .malformed
            }
            let count = isUUID ? 16 - shared : try shortNumber()
            guard count <= UInt64(end - index) else { throw .malformed }
            previous.removeSubrange(Int(shared)...)
            previous += bytes[index..<index + Int(count)]
            index += Int(count)
            let text =
                isUUID ? UUIDText.text(previous) : String(validating: previous, as: UTF8.self)
            guard let text, ids.count < (end - index) / 7 else { throw .malformed }
            ids.append(text)
        }
        return ids
    }

    /// The number of an id, which is either the next long one or encoded here.
    mutating func number(_ ids: inout LongIDNumbers) throws(PageDigest.Refusal) -> UInt64 {
        let head = try shortNumber()
        switch head & 3 {
        case 0: return head >> 2
        case 1 where head >> 2 <= 7:
            let count = head >> 2
            return try bytes(Int(count)) | count << 56 | IDNumber.textMark
        case 2 where head == 2:
            guard let number = ids.next() else { throw .malformed }
            return number
        default: throw .malformed
        }
    }
}
