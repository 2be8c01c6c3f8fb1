import Database
import Listings
import Rendering
import SQLite
import Sockets

/// Writes the rows of a file into a list, all of them or none, on a thread of its own.
///
/// The file is read twice, as ``ListImporter`` does: everything is checked before anything is
/// written.
struct ImportWork: Sendable {
    /// The rows that are refused before reading ends.
    private static let maximumRefused = 1_000

    let source: any WritableSource
    let format: FileFormat
    /// What is done with a row whose id is there already.
    let verb: RowChange.Verb
    let spool: ImportSpool
    let progress: ListImport
    let isDraining: @Sendable () -> Bool
    let bell: ChangeBell

    /// Why an import ends before its time.
    private enum Stop: Error {
        case interrupted
        case failed(String?)
    }

    /// Imports, and says how it ended.
    func run() {
        let reason = stop()
        // Who sees the end of this one may begin another.
        spool.hold.release()
        switch reason {
        case nil: progress.enter(.done)
        case .interrupted?: progress.enter(.interrupted)
        case .failed(let detail)?: progress.enter(.failed, detail)
        }
        bell.ring()
    }

    /// Imports; nil where all rows are written.
    private func stop() -> Stop? {
        guard !isUnwanted else { return .interrupted }
        do throws(Stop) {
            try importRows()
            return nil
        } catch {
            return error
        }
    }

    private var isUnwanted: Bool { progress.isInterrupted || isDraining() }

    private func importRows() throws(Stop) {
        let writer: (any StreamingWriter)?
        do throws(SourceError) {
            writer = try source.makeWriter() as? any StreamingWriter
        } catch {
            throw .failed(FailedImport.text(of: .unavailable(reason: "\(error)"), progress.list))
        }
        guard let writer else { throw .failed(FailedImport.text(of: .readOnly, progress.list)) }
        progress.enter(.checking)
        var rows = ImportRows(writer.rules, verb, format)
        try read(.checking) { (record, names) in
            let (_, faults) = rows.change(record, names)
            if !faults.isEmpty { progress.refuse(faults) }
            return nil
        }
        progress.enter(.writing)
        var stop: Stop?
        do throws(WriteError) {
            try writer.stream(to: progress.list) { (perform) throws(WriteError) in
                var rows = ImportRows(writer.rules, verb, format)
                do throws(Stop) {
                    try read(.writing) { (record, names) in
                        write(rows.change(record, names).change, record, rows, perform)
                    }
                } catch {
                    stop = error
                }
                return stop == nil
            }
        } catch {
            stop = stop ?? .failed(FailedImport.text(of: error, progress.list))
        }
        if let stop { throw stop }
    }

    /// Performs a change; the result is an error that ends everything.
    private func write(
        _ change: RowChange,
        _ record: borrowing FileRecord,
        _ rows: ImportRows,
        _ perform: ChangePerformer
    ) -> WriteError? {
        do throws(WriteError) {
            switch try perform(change) {
            case .success(let row):
                progress.note { report in
                    switch row.effect {
                    case .created: report.rows.inserted += 1
                    case .changed: report.rows.replaced += 1
                    case .unchanged, .deleted: report.rows.unchanged += 1
                    }
                }
            case .failure(let refusal):
                progress.refuse(rows.faults(refusal, record, list: progress.list))
            }
            return nil
        } catch {
            return error
        }
    }

    /// Reads all records; one that is refused lets the reading go on to find others.
    private func read(
        _ phase: ImportProgress.Phase,
        _ body: (borrowing FileRecord, ColumnNames) -> WriteError?
    ) throws(Stop) {
        var reading = FileReading(
            maximumErrors: Self.maximumRefused,
            onProgress: { done in progress.note { $0.bytes = done.bytes } },
            isCancelled: { isUnwanted }
        )
        reading.bytesBetweenReports = 1
        var failure: WriteError?
        var refused = 0
        do throws(ImportError) {
            var file = try SourceFile(descriptor: spool.file.number, path: progress.list)
            _ = try reading.read(&file, format, phase) { (record, names) throws(ImportError) in
                guard !isUnwanted else { throw .cancelled }
                failure = body(record, names)
                progress.note { report in
                    report.rows.read += 1
                    refused = report.rows.refused
                }
                return failure == nil && refused < Self.maximumRefused ? .nextRecord : .end
            }
        } catch {
            switch error {
            case .cancelled: throw .interrupted
            case .refused(_, let errors):
                for error in errors { progress.refuse([FailedImport.fault(error)]) }
                throw .failed(nil)
            default: throw .failed(FailedImport.text(of: error))
            }
        }
        if let failure { throw .failed(FailedImport.text(of: failure, progress.list)) }
        guard refused == 0 else { throw .failed(nil) }
    }
}
