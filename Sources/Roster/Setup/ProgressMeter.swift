import SQLite
import Sockets

/// Shows on a terminal how far an import is; elsewhere it is silent.
final class ProgressMeter {
    private let path: String
    private let isShown = StandardError.isTerminal
    private let start = ContinuousClock.now
    private var phase: (ImportProgress.Phase, start: ContinuousClock.Instant)?
    private var hasWritten = false

    /// Shows nothing yet.
    init(_ path: String) { self.path = path }

    /// Shows the state; what is done within half a second is not worth a line.
    func show(_ progress: ImportProgress) {
        let now = ContinuousClock.now
        if phase?.0 != progress.phase { phase = (progress.phase, now) }
        guard isShown, hasWritten || now - start > .milliseconds(500) else { return }
        hasWritten = true
        let line = Self.line(progress, after: now - (phase?.start ?? now))
        StandardError.write("\r\u{1B}[Kroster: \(path): \(line)")
    }

    /// Takes the line away.
    func end() {
        if hasWritten { StandardError.write("\r\u{1B}[K") }
        hasWritten = false
    }

    /// What a person is told: how far, how many, how fast and how long yet.
    ///
    /// - Parameters:
    ///   - progress: How far the import is.
    ///   - time: How long its phase has taken so far.
    /// - Returns: The line, without what stands before it.
    static func line(_ progress: ImportProgress, after time: Duration) -> String {
        let rows = "\(progress.records) rows"
        let word: String
        switch progress.phase {
        case .checking: word = "checking"
        case .writing: word = "importing"
        case .indexing: return "indexing \(rows)"
        }
        let total = max(progress.totalBytes, 1)
        var line = "\(word) \(min(100, progress.bytes * 100 / total)) %, \(rows)"
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        guard seconds > 0.1, progress.bytes > 0 else { return line }
        line += ", \(Int(Double(progress.records) / seconds)) a second"
        let left = Double(total - progress.bytes) * seconds / Double(progress.bytes)
        return line + ", \(Int(left.rounded(.up))) s left"
    }
}
