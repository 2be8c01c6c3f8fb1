import Bytes
import JSON
import Rendering

extension JSONValue {
    /// The value as JSON without white space; nil if it is nested too deeply for a cell.
    var compactText: String? {
        switch self {
        case .array(_, let text), .object(_, let text): return JSONText.compact(text)
        case .number(let text): return text
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .text(let text):
            var buffer = ByteBuffer(minimumCapacity: text.utf8.count + 2)
            JSONWriter.write(to: &buffer) { $0.string(text) }
            return buffer.text()
        }
    }
}
