package import Bytes

/// A renderer of problems as plain text, for clients that requested CSV.
package struct PlainTextProblemRenderer: Sendable {
    package init() {}

    /// Appends a problem: title, detail, and one line for each error and each link.
    package func render(_ problem: Problem, to buffer: inout ByteBuffer) {
        buffer.append("\(problem.kind.status) \(problem.kind.title)\n\(problem.detail)\n")
        for fault in problem.faults {
            if let place = fault.place { buffer.append("\(place.name): ") }
            buffer.append(fault.detail.description)
            if let suggestion = fault.suggestion {
                buffer.append(" Did you mean \(suggestion)?")
            }
            buffer.append("\n")
        }
        for way in problem.ways { buffer.append("\(way.label): \(way.address)\n") }
        if let instance = problem.instance {
            buffer.append("Request \(instance)\n")
        }
    }
}
