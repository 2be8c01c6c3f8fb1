import Bytes
import Rendering

/// Writes problems as plain text, for clients that asked for a table.
enum PlainText {
    /// Appends a problem: status and title, the detail, and a line for each fault.
    static func write(_ problem: Problem, to buffer: inout ByteBuffer) {
        buffer.append("\(problem.status) \(problem.title)\n")
        if let detail = problem.detail { buffer.append("\(detail)\n") }
        for fault in problem.faults {
            switch fault.place {
            case .parameter(let name): buffer.append("\(name): ")
            case .pointer(let pointer): buffer.append("\(pointer): ")
            case nil: break
            }
            buffer.append(fault.detail)
            if let suggestion = fault.suggestion { buffer.append(" Did you mean '\(suggestion)'?") }
            buffer.append(UInt8(ascii: "\n"))
        }
    }
}
