package struct InputRow: Sendable, CustomStringConvertible {
    package var input: String
    /// The lines expected, without their indentation.
    package var expected: [String]

    package init(input: String, expected: [String]) {
        self.input = input
        self.expected = expected
    }

    package var description: String { input }

    /// Reads a table; lines that are indented belong to the input before them.
    package static func table(_ text: String) -> [InputRow] {
        var rows: [InputRow] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix(" ") {
                rows[rows.count - 1].expected.append(String(line.drop { $0 == " " }))
            } else {
                rows.append(InputRow(input: String(line), expected: []))
            }
        }
        return rows
    }

    /// The words of the input; two apostrophes stand for an empty one.
    package var words: [String] {
        input.split(separator: " ").map { $0 == "''" ? "" : String($0) }
    }

    /// The bytes that a text with the escapes \n, \r, \t, \\ and \xHH stands for.
    package static func unescaped(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "x"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                bytes.append(UInt8(digits, radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            default: bytes.append(escape)
            }
        }
        return bytes
    }
}
