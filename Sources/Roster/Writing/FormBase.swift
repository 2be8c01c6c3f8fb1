import Bytes
import Digest
import Rendering

/// The values that a form was drawn from, as digests: enough to tell who changed which.
///
/// Values themselves would double the form, and browsers would change line breaks in them.
struct FormBase {
    /// The bytes of a digest; 96 bits leave no chance of two alike.
    private static let byteCount = 12

    private let digests: [UInt8]

    /// Takes the values of all columns in their order.
    init(_ values: [FormValue]) { digests = values.flatMap(Self.digest) }

    /// Reads what a form sent; nil where it is none of a row with so many columns.
    init?(_ text: String, columnCount: Int) {
        guard let bytes = Base64URL.decode(text), bytes.count == columnCount * Self.byteCount
        else { return nil }
        digests = bytes
    }

    /// The text that the form carries.
    var text: String {
        var bytes = ByteBuffer(minimumCapacity: digests.count)
        bytes.append(digests)
        var text = ByteBuffer(minimumCapacity: digests.count * 4 / 3 + 4)
        Base64URL.encode(bytes, to: &text)
        return text.text()
    }

    /// Whether a column had a value.
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
