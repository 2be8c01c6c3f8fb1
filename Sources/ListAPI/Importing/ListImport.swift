import Listings
import Locks
import Rendering
import TableFiles

/// The state of one import into a list, accessible from any thread.
final class ListImport: Sendable {
    private struct Report: Sendable {
        var document: ProgressDocument
        var checked: CheckedFile?
        var since = ContinuousClock.now
        var isInterrupted = false

        mutating func enter(_ state: ProgressDocument.State) {
            document.state = state
            since = .now
            switch state {
            case .writing: (document.rows, document.bytes) = (ProgressDocument.Rows(), 0)
            // The transaction was rolled back, with the effects that were counted.
            case .failed, .interrupted:
                (document.rows.inserted, document.rows.replaced) = (0, 0)
                document.rows.unchanged = 0
            default: break
            }
        }
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

    static let shownFaults = 20

    let id = String(UInt64.random(in: .min ... .max), radix: 36)
    let list: String
    let totalBytes: Int
    private let report: Locked<Report>

    init(into list: String, totalBytes: Int) {
        self.list = list
        self.totalBytes = totalBytes
        let document = ProgressDocument(
            list: list,
            title: list,
            totalBytes: totalBytes,
            address: "",
            listAddress: ""
        )
        report = Locked(Report(document: document))
    }

    var isRunning: Bool { report.withLock { $0.document.state.isRunning } }

    var end: ContinuousClock.Instant? {
        report.withLock { $0.document.state.isRunning ? nil : $0.since }
    }

    var isInterrupted: Bool { report.withLock { $0.isInterrupted } }

    /// Interrupts the import; a waiting one ends at once.
    func interrupt() {
        report.withLock { report in
            report.isInterrupted = true
            if report.document.state == .waiting { report.enter(.interrupted) }
        }
    }

    func enter(_ state: ProgressDocument.State, _ detail: Text? = nil) {
        report.withLock { report in
            guard report.document.state.isRunning else { return }
            report.enter(state)
            report.document.detail = detail
        }
    }

    func note(_ change: (inout ProgressDocument) -> Void) {
        report.withLock { change(&$0.document) }
    }

    func refuse(_ faults: [Problem.Fault]) {
        note { document in
            document.rows.refused += 1
            document.faults += faults.prefix(max(0, Self.shownFaults - document.faults.count))
        }
    }

    func document(of list: ListDefinition, _ addresses: Address) -> ProgressDocument {
        let report = self.report.withLock { $0 }
        var document = report.document
        document.title = list.title
        document.address = addresses.imported(id, of: list.name)
        document.listAddress = addresses.list(list.name)
        document.mayBegin = document.state == .checked && report.checked != nil
        let seconds = (ContinuousClock.now - report.since) / .seconds(1)
        guard document.state.isRunning, seconds > 0.1, document.bytes > 0 else { return document }
        document.rowsPerSecond = Int(Double(document.rows.read) / seconds)
        let left = Double(totalBytes - document.bytes) * seconds / Double(document.bytes)
        document.secondsLeft = Int(max(0, left).rounded(.up))
        return document
    }
}

extension ProgressDocument {
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
}
