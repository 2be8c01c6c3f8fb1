package import Bytes

package enum JSONIndentation {
    package static func lines(of document: borrowing ByteBuffer) -> ByteBuffer {
        var output = ByteBuffer(minimumCapacity: document.count * 2)
        var depth = 0
        var isText = false
        var isEscaped = false
        for index in 0..<document.count {
            let byte = document[index]
            guard !isText else {
                output.append(byte)
                isText = byte != UInt8(ascii: "\"") || isEscaped
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                output.append(byte)
                let next = index + 1 < document.count ? document[index + 1] : 0
                // An empty object or array stays on its line; `]` and `}` follow `[` and `{` by 2.
                if next == byte + 2 { continue }
                depth += 1
                line(depth, to: &output)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if document[index - 1] != byte - 2 {
                    depth -= 1
                    line(depth, to: &output)
                }
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                line(depth, to: &output)
            case UInt8(ascii: ":"): output.append(": " as StaticString)
            default:
                isText = byte == UInt8(ascii: "\"")
                output.append(byte)
            }
        }
        return output
    }

    private static func line(_ depth: Int, to output: inout ByteBuffer) {
        output.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { output.append("  " as StaticString) }
    }
}
