import ListAPI

/// The failures of sources, which do not stop the other ones.
struct SourceFailures {
    private var all: [(path: String, failure: Failure)] = []
    private let isStrict: Bool

    var isEmpty: Bool { all.isEmpty }

    private var failures: [Failure] { all.map(\.failure) }

    var notices: [String] {
        guard !isEmpty else { return [] }
        return failures.flatMap { $0.text.split(separator: "\n").map(String.init) }
            + ["the other sources are served; --strict stops here"]
    }

    init(_ configuration: Configuration) { isStrict = configuration.isStrict }

    mutating func add(_ failure: Failure, of path: String) throws(Failure) {
        guard failure.code == .badData, !isStrict else { throw failure }
        all.append((path, failure))
    }

    func source(at path: String) -> FailedSource? {
        all.first { $0.path == path }.map { FailedSource(at: $0.path, $0.failure) }
    }

    /// The sources that no refresh reads again.
    func sources(besides paths: Set<String>) -> [FailedSource] {
        all.filter { !paths.contains($0.path) }.map { FailedSource(at: $0.path, $0.failure) }
    }

    func check(isSourceLeft: Bool) throws(Failure) {
        guard isEmpty || isSourceLeft else {
            throw Failure(.badData, failures.map(\.text).joined(separator: "\n"))
        }
    }
}
