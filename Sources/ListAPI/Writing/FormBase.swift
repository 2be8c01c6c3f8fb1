import Bytes
import Rendering

/// The values themselves would double the size of the form, and browsers change line breaks.
struct FormBase {
    /// 96 bits make equal digests of different values practically impossible.
    private static let byteCount = 12

    private let digests: [UInt8]

    init(_ values: [FormValue]) { digests = values.flatMap(Self.digest) }

    /// Parses the text of a form; nil if it does not match a row of that column count.
    init?(_ text: String, columnCount: Int) {
        guard let bytes = Base64URL.decode(text), bytes.count == columnCount * Self.byteCount
        else { return nil }
        digests = bytes
    }

    var text: String {
        var bytes = ByteBuffer(minimumCapacity: digests.count)
        bytes.append(digests)
        var text = ByteBuffer(minimumCapacity: digests.count * 4 / 3 + 4)
        Base64URL.encode(bytes, to: &text)
        return text.text()
    }

    func holds(_ value: FormValue, at column: Int) -> Bool {
        digests[column * Self.byteCount..<(column + 1) * Self.byteCount]
            .elementsEqual(Self.digest(value))
    }

    private static func digest(_ value: FormValue) -> ArraySlice<UInt8> {
        var hash = SHA256()
        hash.add(value.isEmptyText ? 1 : 0)
        hash.add(value.text.utf8.span)
        return hash.digest().prefix(byteCount)
    }
}
