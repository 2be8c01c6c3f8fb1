import SQLite
import Sockets

/// Shows on a terminal how far an import is; elsewhere it is silent.
final class ProgressMeter {
    private let path: String
    private let isShown = StandardError.isTerminal
    private let start = ContinuousClock.now
    private var hasWritten = false

    /// Shows nothing yet.
    init(_ path: String) { self.path = path }

    /// Shows the state; what is done within half a second is not worth a line.
    func show(_ progress: ImportProgress) {
        let elapsed = ContinuousClock.now - start
        guard isShown, hasWritten || elapsed > .milliseconds(500) else { return }
        hasWritten = true
        let line =
            switch progress.phase {
            case .checking: "checking \(share(progress))"
            case .writing: "importing \(share(progress)), \(progress.records) rows"
            case .indexing: "indexing \(progress.records) rows"
            }
        StandardError.write("\r\u{1B}[Kroster: \(path): \(line)")
    }

    /// Takes the line away.
    func end() {
        if hasWritten { StandardError.write("\r\u{1B}[K") }
        hasWritten = false
    }

    private func share(_ progress: ImportProgress) -> String {
        guard progress.totalBytes > 0 else { return "100 %" }
        return "\(progress.bytes * 100 / progress.totalBytes) %"
    }
}
