package import Bytes

/// A writer of comma-separated values (RFC 4180), with CR LF after each record, and quotes where a
/// field needs them.
package struct CSVWriter: ~Copyable {
    package enum Formulas: Sendable {
        /// They are unchanged, so that the file has the same texts as the list.
        case kept
        /// They get a leading apostrophe, so that spreadsheets show them as texts.
        case neutralised
    }

    private var buffer = ByteBuffer(minimumCapacity: 16)
    private var isAtStart = true
    private let formulas: Formulas

    private init(formulas: Formulas) { self.formulas = formulas }

    package static func write(
        to buffer: inout ByteBuffer,
        formulas: Formulas,
        _ body: (inout CSVWriter) -> Void
    ) {
        var writer = CSVWriter(formulas: formulas)
        swap(&buffer, &writer.buffer)
        body(&writer)
        swap(&buffer, &writer.buffer)
    }

    package mutating func endRecord() {
        buffer.append("\r\n")
        isAtStart = true
    }

    /// Appends a field without a value, which has no bytes.
    ///
    /// An empty text is two quotes instead.
    package mutating func emptyField() { separate() }

    package mutating func field(writing value: (inout ByteBuffer) -> Void) {
        separate()
        value(&buffer)
    }

    package mutating func field(_ text: String, isNumber: Bool = false) {
        field(text.utf8.span, isNumber: isNumber)
    }

    /// A number is never a formula.
    package mutating func field(_ utf8: borrowing Span<UInt8>, isNumber: Bool = false) {
        separate()
        let isFormula = formulas == .neutralised && !isNumber && Self.isFormula(utf8)
        guard utf8.isEmpty || Self.needsQuotes(utf8) else {
            if isFormula { buffer.append(UInt8(ascii: "'")) }
            return buffer.append(utf8)
        }
        buffer.append(UInt8(ascii: "\""))
        if isFormula { buffer.append(UInt8(ascii: "'")) }
        var start = 0
        for index in 0..<utf8.count where utf8[index] == UInt8(ascii: "\"") {
            buffer.append(utf8.extracting(start...index))
            start = index
        }
        buffer.append(utf8.extracting(start...))
        buffer.append(UInt8(ascii: "\""))
    }

    private mutating func separate() {
        if !isAtStart { buffer.append(UInt8(ascii: ",")) }
        isAtStart = false
    }

    private static func needsQuotes(_ utf8: borrowing Span<UInt8>) -> Bool {
        for index in 0..<utf8.count {
            switch utf8[index] {
            case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                return true
            default: continue
            }
        }
        return false
    }

    private static func isFormula(_ utf8: borrowing Span<UInt8>) -> Bool {
        guard !utf8.isEmpty else { return false }
        switch utf8[0] {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
            UInt8(ascii: "\t"), UInt8(ascii: "\r"):
            return true
        default: return false
        }
    }
}
