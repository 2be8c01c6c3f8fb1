import Bytes
import TableFiles

extension TextEncoding {
    /// In UTF-8.
    func decoded(_ bytes: [UInt8]) -> [UInt8] {
        guard self != .utf8 else { return bytes }
        var buffer = ByteBuffer(minimumCapacity: 2 * bytes.count)
        let end: [UInt8] = []
        if case .named(let name) = self, let iconv = try? Iconv(name) {
            iconv.decode(bytes.span, into: &buffer)
            iconv.decode(end.span, into: &buffer)
        } else {
            var decoder = TextDecoder(self)
            decoder.decode(bytes.span, into: &buffer)
            decoder.decode(end.span, into: &buffer)
        }
        return buffer.array()
    }

    /// Nil if the encoding lacks a character of the text.
    func encoded(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        switch self {
        case .utf8: return text
        case .utf16LittleEndian, .utf16BigEndian:
            for unit in String(decoding: text, as: UTF8.self).utf16 {
                let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
                bytes += self == .utf16LittleEndian ? [low, high] : [high, low]
            }
        case .windows1252:
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
                guard let byte = TextDecoder.windows1252(scalar) else { return nil }
                bytes.append(byte)
            }
        case .named(let name):
            return (try? Iconv(from: "UTF-8", to: name))?.converted(text)
        }
        return bytes
    }
}
