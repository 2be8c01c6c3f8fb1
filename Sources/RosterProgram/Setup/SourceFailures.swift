import ListAPI

/// The failures of sources, which do not stop the other ones.
struct SourceFailures {
    private var failures: [Failure] = []
    private let isStrict: Bool

    var isEmpty: Bool { failures.isEmpty }

    var notices: [String] {
        guard !isEmpty else { return [] }
        return failures.flatMap { $0.text.split(separator: "\n").map(String.init) }
            + ["the other sources are served; --strict stops here"]
    }

    init(_ configuration: Configuration) { isStrict = configuration.isStrict }

    mutating func add(_ failure: Failure) throws(Failure) {
        guard failure.code == .badData, !isStrict else { throw failure }
        failures.append(failure)
    }

    func check(isSourceLeft: Bool) throws(Failure) {
        guard isEmpty || isSourceLeft else {
            throw Failure(.badData, failures.map(\.text).joined(separator: "\n"))
        }
    }
}
