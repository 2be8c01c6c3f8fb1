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
    /// The size of the largest file whose rows a preview writes and takes back.
    ///
    /// Other writers wait meanwhile.
    private static let maximumTriedBytes = 4 << 20

    let source: any ListSource
    let format: FileFormat
    /// The operation for a row whose ID exists already.
    let verb: RowChange.Verb
    let spool: ImportSpool
    let progress: ListImport
    let isDraining: @Sendable () -> Bool
    let changeSignal: ChangeSignal
    /// Whether the list stays as it is.
    let isPreview: Bool

    /// The reason why an import stops early.
    private enum Stop: Error {
        case interrupted
        case failed(Text?)
    }

    /// Runs the import and records its result.
    func run() {
        let reason = stop()
        // A client that sees the end of this import may start another.
        spool.hold.release()
        switch reason {
        case nil: progress.enter(isPreview ? .checked : .done)
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
        let writer: (any ListWriter)?
        do throws(SourceError) {
            writer = try source.makeWriter()
        } catch {
            throw .failed(FailedImport.text(of: .unavailable(reason: "\(error)"), progress.list))
        }
        guard let writer, let streaming = writer.abilities.stream else {
            throw .failed(FailedImport.text(of: .readOnly, progress.list))
        }
        progress.enter(.checking)
        var stop: Stop?
        do throws(WriteError) {
            let loading = isPreview ? nil : writer.abilities.load
            if try loading.map({ (loading) throws(WriteError) in
                try load(by: loading, writer.rules, &stop)
            }) != true {
                try stream(by: streaming, writer.rules, &stop)
            }
        } catch {
            stop = stop ?? self.stop(after: error)
        }
        if let stop { throw stop }
    }

    /// Checks all rows, and performs their changes one at a time.
    private func stream(
        by streaming: WriterAbilities.Stream,
        _ rules: RowRules,
        _ stop: inout Stop?
    ) throws(WriteError) {
        var rows = ImportRows(rules, verb, format)
        let isValid = succeeds(&stop) { () throws(Stop) in
            try read(.checking) { (record, names) in
                let (_, faults) = rows.change(record, names)
                progress.note { $0.sample(record, names, rows) }
                if !faults.isEmpty { progress.refuse(faults) }
                return nil
            }
        }
        guard isValid, !isPreview || spool.count <= Self.maximumTriedBytes else { return }
        if isPreview {
            progress.note { $0.rows = ProgressDocument.Rows() }
        } else {
            progress.enter(.writing)
        }
        try streaming(progress.list) { (perform) throws(WriteError) in
            let isWritten = succeeds(&stop) { () throws(Stop) in
                var rows = ImportRows(rules, verb, format)
                try read(.writing) { (record, names) in
                    write(rows.change(record, names).change, record, rows, perform)
                }
            }
            return isWritten && !isPreview
        }
    }

    private func succeeds(_ stop: inout Stop?, _ body: () throws(Stop) -> Void) -> Bool {
        do throws(Stop) { try body() } catch { stop = error }
        return stop == nil
    }

    private func stop(after error: WriteError) -> Stop {
        isUnwanted ? .interrupted : .failed(FailedImport.text(of: error, progress.list))
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
        if let failure { throw stop(after: failure) }
        guard refused == 0 else { throw .failed(nil) }
    }
}

/// Loads: the file is read once, and then the database performs thousands of changes at once.
extension ImportJob {
    /// Stages all changes while they are checked, and performs them.
    ///
    /// - Returns: False if the database receives no loads.
    private func load(
        by loading: WriterAbilities.Load,
        _ rules: RowRules,
        _ stop: inout Stop?
    ) throws(WriteError) -> Bool {
        let isCancelled = { isUnwanted }
        return try loading(progress.list, isCancelled) { (load) throws(WriteError) in
            var count = 0
            let isStaged = succeeds(&stop) { () throws(Stop) in
                count = try stage(load, rules)
            }
            guard isStaged else { return false }
            try load.endStaging()
            progress.enter(.writing)
            return succeeds(&stop) { () throws(Stop) in
                try performParts(of: load, count, rules)
            }
        }
    }

    /// Returns the number of changes.
    private func stage(_ load: any RowLoad, _ rules: RowRules) throws(Stop) -> Int {
        var rows = ImportRows(rules, verb, format)
        var count = 0
        var isValid = true
        try read(.checking) { (record, names) in
            do throws(WriteError) {
                if isValid, let fields = rows.fields(names),
                    try stage(record, fields, load)
                {
                    count += 1
                    return nil
                }
            } catch {
                return error
            }
            var (change, errors) = rows.change(record, names)
            do throws(WriteError) {
                if isValid, errors.isEmpty, let refusal = try load.stage(change) {
                    errors = rows.faults(refusal, record, list: progress.list)
                }
            } catch {
                return error
            }
            count += 1
            guard !errors.isEmpty else { return nil }
            // The other rows are only checked.
            isValid = false
            progress.refuse(errors)
            return nil
        }
        return count
    }

    /// Stages the change of a record without converting its texts, if that is possible.
    private func stage(
        _ record: borrowing FileRecord,
        _ fields: TextFields,
        _ load: any RowLoad
    ) throws(WriteError) -> Bool {
        try record.withBytes { (texts) throws(WriteError) in
            try load.stage(verb, fields, texts) { record.range(of: $0) }
        }
    }

    private func performParts(
        of load: any RowLoad,
        _ count: Int,
        _ rules: RowRules
    ) throws(Stop) {
        var done = 0
        while true {
            guard !isUnwanted else { throw .interrupted }
            let next: LoadedPart?
            do throws(WriteError) { next = try performPart(of: load) } catch {
                throw stop(after: error)
            }
            guard let part = next else { return }
            guard part.counts != nil else {
                return try performSingly(load, from: done, to: done + part.count, rules)
            }
            done += part.count
            progress.note { report in
                report.rows.read = done
                report.bytes = progress.totalBytes * done / count
            }
        }
    }

    private func performPart(of load: any RowLoad) throws(WriteError) -> LoadedPart? {
        let part = try load.performNext()
        if let counts = part?.counts {
            progress.note { report in
                report.rows.inserted += counts.created
                report.rows.replaced += counts.changed
                report.rows.unchanged += counts.unchanged
            }
        }
        return part
    }

    /// Reads the file again, to perform the changes of a part one at a time.
    ///
    /// So each refused row has its place in the file. The rows before are skipped, and further
    /// parts are performed at once where possible.
    private func performSingly(
        _ load: any RowLoad,
        from start: Int,
        to end: Int,
        _ rules: RowRules
    ) throws(Stop) {
        var rows = ImportRows(rules, verb, format)
        var (number, start, end) = (0, start, end)
        progress.note { $0.rows.read = 0 }
        try read(.writing) { (record, names) in
            defer { number += 1 }
            if number == end {
                do throws(WriteError) {
                    guard let part = try performPart(of: load) else { return nil }
                    end += part.count
                    start = part.counts == nil ? number : end
                } catch {
                    return error
                }
            }
            guard number >= start else { return nil }
            return write(rows.change(record, names).change, record, rows, load.perform)
        }
    }
}
