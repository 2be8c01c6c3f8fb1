import Bytes

/// An escape for values in attributes of a template, which may use single or double quotes.
enum HTMLQuoteEscape: TextEscape {
    static func marks(in word: UInt64) -> UInt64 {
        HTMLEscape.marks(in: word) | WordSearch.bytes(equalTo: UInt8(ascii: "'"), in: word)
    }

    static func needsEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "'") || HTMLEscape.needsEscape(byte)
    }

    static var longest: Int { HTMLEscape.longest }

    static func escape(_ byte: UInt8, to sink: inout some ByteSink & ~Copyable) {
        if byte == UInt8(ascii: "'") {
            sink.append("&#39;")
        } else {
            HTMLEscape.escape(byte, to: &sink)
        }
    }
}
