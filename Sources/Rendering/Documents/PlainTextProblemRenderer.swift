package import Bytes

package struct PlainTextProblemRenderer: Sendable {
    package init() {}

    package func render(_ problem: Problem, to buffer: inout ByteBuffer) {
        buffer.append("\(problem.kind.status) \(problem.kind.title)\n\(problem.detail)\n")
        for fault in problem.faults {
            if let location = fault.location { buffer.append("\(location.name): ") }
            buffer.append(fault.detail.description)
            if let suggestion = fault.suggestion {
                buffer.append(" Did you mean \(suggestion)?")
            }
            buffer.append("\n")
        }
        for link in problem.links { buffer.append("\(link.label): \(link.address)\n") }
        if let instance = problem.instance {
            buffer.append("Request \(instance)\n")
        }
    }
}
