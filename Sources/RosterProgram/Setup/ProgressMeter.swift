import SQLite
import System

/// A progress line of an import on a terminal; without a terminal it writes nothing.
final class ProgressMeter {
    private let path: String
    private let isShown = StandardError.isTerminal
    private let start = ContinuousClock.now
    private var phase: (ImportProgress.Phase, start: ContinuousClock.Instant)?
    private var hasWritten = false

    init(_ path: String) { self.path = path }

    /// Shows the progress, unless the import is younger than half a second.
    func show(_ progress: ImportProgress) {
        let now = ContinuousClock.now
        if phase?.0 != progress.phase { phase = (progress.phase, now) }
        guard isShown, hasWritten || now - start > .milliseconds(500) else { return }
        hasWritten = true
        let line = Self.line(progress, after: now - (phase?.start ?? now))
        StandardError.write("\r\u{1B}[Kroster: \(path): \(line)")
    }

    func end() {
        if hasWritten { StandardError.write("\r\u{1B}[K") }
        hasWritten = false
    }

    /// Returns the text of the line: progress, rows, speed and remaining time.
    static func line(_ progress: ImportProgress, after time: Duration) -> String {
        let rows = "\(progress.records) rows"
        let word: String
        switch progress.phase {
        case .receiving: return "reading, \(progress.bytes >> 20) MiB"
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
