import Listings
import Locks
import Rendering
import TableFiles

/// The state of one import into a list, accessible from any thread.
final class ListImport: Sendable {
    struct Report: Sendable {
        var state = ProgressDocument.State.waiting
        var rows = ProgressDocument.Rows()
        var bytes = 0
        var faults: [Problem.Fault] = []
        var detail: Text?
        /// The columns of the file, and its first rows.
        var columns: [ProgressDocument.FileColumn] = []
        var sample: [[String?]] = []
        /// The checked file, until it is imported.
        var checked: CheckedFile?
        /// The time when the state began.
        var since = ContinuousClock.now
        /// Whether the import is to stop early.
        var isInterrupted = false
    }

    struct CheckedFile: Sendable {
        let spool: ImportSpool
        let format: FileFormat
        let verb: RowChange.Verb
    }

    /// The checked file; nil for an import, and for one that is no longer stored.
    var checked: CheckedFile? {
        get { report.withLock { $0.checked } }
        set { report.withLock { $0.checked = newValue } }
    }

    /// The maximum number of errors that are reported.
    static let shownFaults = 20

    /// The random ID of the import in URLs.
    let id = String(UInt64.random(in: .min ... .max), radix: 36)
    let list: String
    let totalBytes: Int
    private let report = Locked(Report())

    init(into list: String, totalBytes: Int) {
        self.list = list
        self.totalBytes = totalBytes
    }

    var isRunning: Bool { report.withLock { $0.state.isRunning } }

    var end: ContinuousClock.Instant? {
        report.withLock { $0.state.isRunning ? nil : $0.since }
    }

    var isInterrupted: Bool { report.withLock { $0.isInterrupted } }

    /// Interrupts the import; a waiting one ends at once.
    func interrupt() {
        report.withLock { report in
            report.isInterrupted = true
            if report.state == .waiting { report.enter(.interrupted) }
        }
    }

    /// Returns whether the state has changed; an import that has ended keeps its state.
    @discardableResult
    func enter(_ state: ProgressDocument.State, _ detail: Text? = nil) -> Bool {
        report.withLock { report in
            guard report.state.isRunning else { return false }
            report.enter(state)
            report.detail = detail
            return true
        }
    }

    func note(_ change: (inout Report) -> Void) { report.withLock { change(&$0) } }

    func refuse(_ faults: [Problem.Fault]) {
        report.withLock { report in
            report.rows.refused += 1
            report.faults += faults.prefix(max(0, Self.shownFaults - report.faults.count))
        }
    }

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
        document.columns = report.columns
        document.sample = report.sample
        document.mayBegin = report.state == .checked && report.checked != nil
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
    /// The maximum number of rows that a preview shows.
    private static let sampledRows = 5

    mutating func sample(
        _ record: borrowing FileRecord,
        _ names: ColumnNames,
        _ rows: ImportRows
    ) {
        guard sample.count < Self.sampledRows else { return }
        columns = rows.columns(names)
        sample.append(columns.indices.map { record.text($0) })
    }

    fileprivate mutating func enter(_ state: ProgressDocument.State) {
        self.state = state
        since = .now
        switch state {
        case .writing: (rows, bytes) = (ProgressDocument.Rows(), 0)
        // The transaction was rolled back, with the effects that were counted.
        case .failed, .interrupted: (rows.inserted, rows.replaced, rows.unchanged) = (0, 0, 0)
        default: break
        }
    }
}
