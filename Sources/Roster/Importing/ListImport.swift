import Listings
import Locks
import Rendering

/// One import into a list, as far as those who ask know of it; from any thread.
final class ListImport: Sendable {
    /// What is known of an import.
    struct Report: Sendable {
        var state = ProgressDocument.State.waiting
        var rows = ProgressDocument.Rows()
        var bytes = 0
        var faults: [ProgressDocument.Fault] = []
        var detail: String?
        /// When the state began.
        var since = ContinuousClock.now
        /// Whether it is to end before its time.
        var isInterrupted = false
    }

    /// The faults that are told.
    static let shownFaults = 20

    /// What addresses call it, which nobody can guess.
    let id = String(UInt64.random(in: .min ... .max), radix: 36)
    /// The name of the list.
    let list: String
    /// The bytes of the content.
    let totalBytes: Int
    private let report = Locked(Report())

    /// Describes an import that has not begun.
    init(into list: String, totalBytes: Int) {
        self.list = list
        self.totalBytes = totalBytes
    }

    /// Whether it goes on.
    var isRunning: Bool { report.withLock { $0.state.isRunning } }

    /// When it ended; nil while it goes on.
    var end: ContinuousClock.Instant? {
        report.withLock { $0.state.isRunning ? nil : $0.since }
    }

    /// Whether somebody wants it no longer.
    var isInterrupted: Bool { report.withLock { $0.isInterrupted } }

    /// Ends it before its time; one that has not begun never will.
    func interrupt() {
        report.withLock { report in
            report.isInterrupted = true
            if report.state == .waiting { report.enter(.interrupted) }
        }
    }

    /// Goes on to another state.
    ///
    /// - Returns: Whether it does; one that has ended stays as it is.
    @discardableResult
    func enter(_ state: ProgressDocument.State, _ detail: String? = nil) -> Bool {
        report.withLock { report in
            guard report.state.isRunning else { return false }
            report.enter(state)
            report.detail = detail
            return true
        }
    }

    /// Takes note of something.
    func note(_ change: (inout Report) -> Void) { report.withLock { change(&$0) } }

    /// Takes note of what is wrong with a row.
    func refuse(_ faults: [ProgressDocument.Fault]) {
        report.withLock { report in
            report.rows.refused += 1
            report.faults += faults.prefix(max(0, Self.shownFaults - report.faults.count))
        }
    }

    /// What is told of it.
    func document(of list: ListDefinition, _ addresses: Address) -> ProgressDocument {
        let report = self.report.withLock { $0 }
        var document = ProgressDocument(
            list: list.name,
            title: list.title,
            totalBytes: totalBytes,
            address: addresses.imported(id, of: list.name),
            listAddress: addresses.list(list.name)
        )
        document.state = report.state
        document.rows = report.rows
        document.bytes = report.bytes
        document.faults = report.faults
        document.detail = report.detail
        let time = (ContinuousClock.now - report.since).components
        let seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
        guard report.state.isRunning, seconds > 0.1, report.bytes > 0 else { return document }
        document.rowsPerSecond = Int(Double(report.rows.read) / seconds)
        let left = Double(totalBytes - report.bytes) * seconds / Double(report.bytes)
        document.secondsLeft = Int(max(0, left).rounded(.up))
        return document
    }
}

extension ListImport.Report {
    fileprivate mutating func enter(_ state: ProgressDocument.State) {
        self.state = state
        since = .now
        guard state == .writing else { return }
        rows = ProgressDocument.Rows()
        bytes = 0
    }
}
