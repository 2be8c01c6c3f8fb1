package import Listings

/// Ids made of several values: their texts joined by commas, with `%` and `,` percent-encoded.
package enum CompositeID {
    package static func text(of parts: [CellValue]) -> String {
        parts.map { encode($0.plainText) }.joined(separator: ",")
    }

    /// A part that is not of its type becomes a text.
    ///
    /// Nil if the number of parts or the encoding is wrong.
    package static func parts(of id: String, types: [ColumnType]) -> [CellValue]? {
        let texts = id.split(separator: ",", omittingEmptySubsequences: false)
        guard texts.count == types.count else { return nil }
        var parts: [CellValue] = []
        for (text, type) in zip(texts, types) {
            guard let text = decode(text) else { return nil }
            parts.append(CellValue.id(text, as: type) ?? .text(text))
        }
        return parts
    }

    private static func encode(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == percent || $0 == comma }) else { return text }
        var encoded = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": encoded += "%25"
            case ",": encoded += "%2C"
            default: encoded.unicodeScalars.append(scalar)
            }
        }
        return encoded
    }

    private static func decode(_ text: Substring) -> String? {
        guard text.utf8.contains(percent) else { return String(text) }
        var pieces = text.split(separator: "%", omittingEmptySubsequences: false)[...]
        var decoded = String(pieces.removeFirst())
        for piece in pieces {
            switch piece.utf8.prefix(2).elementsEqual("25".utf8) {
            case true: decoded += "%"
            case false:
                guard piece.utf8.prefix(2).elementsEqual("2C".utf8) else { return nil }
                decoded += ","
            }
            decoded += piece.dropFirst(2)
        }
        return decoded
    }

    private static let percent = UInt8(ascii: "%")
    private static let comma = UInt8(ascii: ",")
}
