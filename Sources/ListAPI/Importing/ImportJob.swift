import Database
import Listings
import Rendering
import SQLite
import System
import TableFiles

/// A job that writes all rows of a file into a list, or none, on its own thread.
///
/// Like ``ListImporter``, it reads the file twice, so that everything is checked before any write.
struct ImportJob: Sendable {
    /// The number of refused rows that ends the reading.
    private static let maximumRefused = 1_000

    let source: any WritableSource
    let format: FileFormat
    /// The operation for a row whose ID exists already.
    let verb: RowChange.Verb
    let spool: ImportSpool
    let progress: ListImport
    let isDraining: @Sendable () -> Bool
    let changeSignal: ChangeSignal

    /// The reason why an import stops early.
    private enum Stop: Error {
        case interrupted
        case failed(String?)
    }

    /// Runs the import and records its result.
    func run() {
        let reason = stop()
        // A client that sees the end of this import may start another.
        spool.hold.release()
        switch reason {
        case nil: progress.enter(.done)
        case .interrupted?: progress.enter(.interrupted)
        case .failed(let detail)?: progress.enter(.failed, detail)
        }
        changeSignal.notify()
    }

    /// Runs the import; returns nil if all rows were written.
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

    /// Performs a change; the result is an error that ends the import.
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

    /// Reads all records; continues after a refused one to find further errors.
    private func read(
        _ phase: ImportProgress.Phase,
        _ body: (borrowing FileRecord, ColumnNames) -> WriteError?
    ) throws(Stop) {
        var options = ImportOptions()
        options.footerLines = 0
        var reading = FileReading(
            maximumErrors: Self.maximumRefused,
            options: options,
            onProgress: { done in progress.note { $0.bytes = done.bytes } },
            isCancelled: { isUnwanted }
        )
        reading.bytesBetweenReports = 1
        // Clients may import large files, which must not fill the memory.
        reading.maximumDocumentBytes = FileLimits.maximumRecordBytes
        var failure: WriteError?
        var refused = 0
        do throws(ImportError) {
            var file = try SourceFile(descriptor: spool.file.number, path: progress.list)
            let (_, findings) = try reading.read(&file, format, phase) {
                (record, names) throws(ImportError) in
                guard !isUnwanted else { throw .cancelled }
                failure = body(record, names)
                progress.note { report in
                    report.rows.read += 1
                    refused = report.rows.refused
                }
                return failure == nil && refused < Self.maximumRefused ? .nextRecord : .end
            }
            // A client can correct its file, so that nothing is corrected for it.
            for repair in findings.repairs.counts where failure == nil && refused == 0 {
                refused += 1
                let error = FileError(.irregular(repair.kind), at: repair.first)
                progress.refuse([FailedImport.fault(error)])
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
