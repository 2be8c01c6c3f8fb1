/// Array literals of PostgreSQL: `{1,NULL,"a"}`.
enum ArrayLiteral {
    /// Objects become text elements.
    ///
    /// Other JSON than an array becomes a text that the server rejects.
    static func text(ofJSON json: String) -> String {
        let bytes = Array(json.utf8)
        guard bytes.first == UInt8(ascii: "[") else { return "not an array" }
        var literal: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let start = index
            switch bytes[index] {
            case UInt8(ascii: "["): literal.append(UInt8(ascii: "{"))
            case UInt8(ascii: "]"): literal.append(UInt8(ascii: "}"))
            case UInt8(ascii: "\""):
                index = end(ofText: bytes, index)
                append(characters(bytes[start + 1..<index]), to: &literal)
            case UInt8(ascii: "{"):
                index = end(ofObject: bytes, index)
                append(bytes[start...index], to: &literal)
            case let byte: literal.append(byte)
            }
            index += 1
        }
        return String(decoding: literal, as: UTF8.self)
    }

    private static func append(_ element: some Sequence<UInt8>, to literal: inout [UInt8]) {
        literal.append(UInt8(ascii: "\""))
        for byte in element {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                literal.append(UInt8(ascii: "\\"))
            }
            literal.append(byte)
        }
        literal.append(UInt8(ascii: "\""))
    }

    private static func end(ofText bytes: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    private static func end(ofObject bytes: [UInt8], _ start: Int) -> Int {
        var (index, depth) = (start, 0)
        while true {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = end(ofText: bytes, index)
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if depth == 0 { return index }
            index += 1
        }
    }

    private static func characters(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var units: [UInt16] = []
        func end() {
            bytes += Array(String(decoding: units, as: UTF16.self).utf8)
            units = []
        }
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == UInt8(ascii: "\\") else {
                end()
                bytes.append(text[index])
                index += 1
                continue
            }
            let escape = text[index + 1]
            index += 2
            if escape == UInt8(ascii: "u") {
                let digits = String(decoding: text[index..<index + 4], as: UTF8.self)
                units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
                index += 4
                continue
            }
            end()
            switch escape {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            default: bytes.append(escape)
            }
        }
        end()
        return bytes
    }
}
