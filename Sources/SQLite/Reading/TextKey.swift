import Bytes
import Listings

/// The sort keys of texts: SQLite compares them byte by byte in the order of ``TextCollation``.
///
/// A key is the letters of the text, an end mark and the text. SQL itself makes the key of a plain
/// text: `lower(text) || char(1) || text`. Only other texts need a stored key, so that every program
/// can check, compact and read the indexes of a list.
///
/// Letters and other characters are written like this, in ascending order:
///
/// | characters | bytes |
/// |---|---|
/// | the weights 1 to 3 | 0x03 and a digit |
/// | ASCII before the grave accent | the character |
/// | others that are not letters | the grave accent and the character |
/// | letters | the small letter without accents |
///
/// The end mark of plain texts is U+0001. That of others is U+0002, with the length of the text.
enum TextKey {
    private static let plainEnd: UInt8 = 1
    private static let end: UInt8 = 2
    private static let controlMark: UInt8 = 3
    /// The mark of characters that are not letters; see ``initial(_:)``.
    static let noLetter = UInt8(ascii: "`")

    /// Whether SQL makes the key of a text.
    static func isPlain(_ utf8: borrowing Span<UInt8>) -> Bool {
        guard !utf8.isEmpty else { return false }
        for index in utf8.indices {
            let byte = utf8[index]
            guard byte > controlMark, byte <= UInt8(ascii: "z"), byte != noLetter else {
                return false
            }
        }
        return true
    }

    /// The text is not empty.
    static func append(_ utf8: borrowing Span<UInt8>, to key: inout [UInt8]) {
        var location = TextCollation.Location()
        while true {
            let weight = TextCollation.nextWeight(utf8, &location)
            guard weight != 0 else { break }
            append(weight, to: &key)
        }
        if isPlain(utf8) {
            key.append(plainEnd)
        } else {
            let length = "\(utf8.count)".utf8
            key.append(end)
            key.append(UInt8(ascii: "0") + UInt8(length.count))
            key += length
        }
        for index in utf8.indices { key.append(utf8[index]) }
    }

    private static func append(_ weight: UInt32, to key: inout [UInt8]) {
        if weight >= TextCollation.letterWeight {
            key.append(Unicode.Scalar(weight - TextCollation.letterWeight) ?? "\u{FFFD}")
        } else if weight <= UInt32(controlMark) {
            key += [controlMark, UInt8(ascii: "0") + UInt8(weight)]
        } else {
            if weight >= UInt32(noLetter) { key.append(noLetter) }
            key.append(Unicode.Scalar(weight) ?? "\u{FFFD}")
        }
    }

    static func text(of key: [UInt8]) -> String? {
        guard let end = key.firstIndex(where: { $0 == plainEnd || $0 == Self.end }) else {
            return nil
        }
        var start = end + 1
        if key[end] == Self.end {
            guard start < key.count else { return nil }
            start += 1 + Int(key[start] &- UInt8(ascii: "0"))
        }
        guard start <= key.count else { return nil }
        return String(decoding: key[start...], as: UTF8.self)
    }

    static func key(ofInitial letter: String) -> String {
        letter == TextCollation.noLetter ? "`" : TextCollation.folded(letter)
    }

    /// The key is null for plain texts.
    static func initial(_ text: String, key: String) -> String {
        "max(substr(ifnull(\(key), lower(\(text))), 1, 1), '`')"
    }

    /// The key is null for plain texts.
    static func complete(_ text: String, key: String) -> String {
        "ifnull(\(key), lower(\(text)) || char(1) || \(text))"
    }
}
