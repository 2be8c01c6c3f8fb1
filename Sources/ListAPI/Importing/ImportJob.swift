import Database
import Listings
import Rendering
import SQLite
import System
import TableFiles

/// Like ``ListImporter``, it reads the file twice, so that all is checked before any write.
struct ImportJob: Sendable {
    private static let maximumRefused = 1_000
    /// The size of the largest file that a preview writes and takes back, while other writers wait.
    private static let maximumTriedBytes = 4 << 20

    let source: any ListSource
    let format: FileFormat
    let verb: RowChange.Verb
    let spool: ImportSpool
    let progress: ListImport
    let isDraining: @Sendable () -> Bool
    let changeSignal: ChangeSignal
    let isPreview: Bool
    private let recorder = ChangeRecorder.current

    private enum Stop {
        case interrupted
        case failed(Text?)
    }

    func run() {
        var reason: Stop?
        ChangeRecorder.$current.withValue(recorder) { importRows(&reason) }
        // A client that sees the end of this import may start another.
        spool.hold.release()
        switch reason {
        case nil: progress.enter(isPreview ? .checked : .done)
        case .interrupted?: progress.enter(.interrupted)
        case .failed(let detail)?: progress.enter(.failed, detail)
        }
        changeSignal.notify()
    }

    private var isUnwanted: Bool { progress.isInterrupted || isDraining() }

    private func importRows(_ stop: inout Stop?) {
        do throws(WriteError) {
            guard !isUnwanted, let writer = try makeWriter(),
                let streaming = writer.abilities.stream
            else { throw .readOnly }
            progress.enter(.checking)
            // The history needs the values around each change, which a load does not read.
            let loads = !isPreview && ChangeRecorder.current == nil
            let loading = loads ? writer.abilities.load : nil
            if try loading.map({ (loading) throws(WriteError) in
                try load(by: loading, writer.rules, &stop)
            }) != true {
                try stream(by: streaming, writer.rules, &stop)
            }
        } catch {
            stop = stop ?? self.stop(after: error)
        }
    }

    private func makeWriter() throws(WriteError) -> (any ListWriter)? {
        do throws(SourceError) { return try source.makeWriter() } catch {
            throw .unavailable(reason: "\(error)")
        }
    }

    private func stream(
        by streaming: WriterAbilities.Stream,
        _ rules: RowRules,
        _ stop: inout Stop?
    ) throws(WriteError) {
        var rows = ImportRows(rules, verb, format)
        stop = read(.checking) { (record, names) in
            let (_, faults) = rows.change(record, names)
            progress.note { $0.sample(record, names, rows) }
            if !faults.isEmpty { progress.refuse(faults) }
        }
        guard stop == nil, !isPreview || spool.count <= Self.maximumTriedBytes else { return }
        if isPreview {
            progress.note { $0.rows = ProgressDocument.Rows() }
        } else {
            progress.enter(.writing)
        }
        try streaming(progress.list) { (perform) throws(WriteError) in
            var rows = ImportRows(rules, verb, format)
            stop = read(.writing) { (record, names) throws(WriteError) in
                try write(rows.change(record, names).change, record, rows, perform)
            }
            return stop == nil && !isPreview
        }
    }

    private func stop(after error: WriteError) -> Stop {
        isUnwanted ? .interrupted : .failed(FailedImport.text(of: error, progress.list))
    }

    private func write(
        _ change: RowChange,
        _ record: borrowing FileRecord,
        _ rows: ImportRows,
        _ perform: ChangePerformer
    ) throws(WriteError) {
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
    }

    private func read(
        _ phase: ImportProgress.Phase,
        _ body: (borrowing FileRecord, ColumnNames) throws(WriteError) -> Void
    ) -> Stop? {
        var options = ImportOptions()
        options.footerLines = 0
        // The columns of the list are named.
        options.hasHeader = true
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
                do throws(WriteError) { try body(record, names) } catch { failure = error }
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
            case .cancelled: return .interrupted
            case .refused(_, let errors):
                for error in errors { progress.refuse([FailedImport.fault(error)]) }
                return .failed(nil)
            default: return .failed(FailedImport.text(of: error))
            }
        }
        return failure.map(stop(after:)) ?? (refused == 0 ? nil : .failed(nil))
    }

    // MARK: - Loads, for which the file is read once

    /// Returns false if the database receives no loads.
    private func load(
        by loading: WriterAbilities.Load,
        _ rules: RowRules,
        _ stop: inout Stop?
    ) throws(WriteError) -> Bool {
        let isCancelled = { isUnwanted }
        return try loading(progress.list, isCancelled) { (load) throws(WriteError) in
            var count = 0
            stop = stage(load, rules, &count)
            guard stop == nil else { return false }
            try load.endStaging()
            progress.enter(.writing)
            stop = performParts(of: load, count, rules)
            return stop == nil
        }
    }

    private func stage(_ load: any RowLoad, _ rules: RowRules, _ count: inout Int) -> Stop? {
        var rows = ImportRows(rules, verb, format)
        var isValid = true
        return read(.checking) { (record, names) throws(WriteError) in
            count += 1
            if isValid, let fields = rows.fields(names), try stage(record, fields, load) { return }
            var (change, errors) = rows.change(record, names)
            if isValid, errors.isEmpty, let refusal = try load.stage(change) {
                errors = rows.faults(refusal, record, list: progress.list)
            }
            guard !errors.isEmpty else { return }
            // The other rows are only checked.
            isValid = false
            progress.refuse(errors)
        }
    }

    private func stage(
        _ record: borrowing FileRecord,
        _ fields: TextFields,
        _ load: any RowLoad
    ) throws(WriteError) -> Bool {
        try record.withBytes { (texts) throws(WriteError) in
            try load.stage(verb, fields, texts) { record.range(of: $0) }
        }
    }

    private func performParts(of load: any RowLoad, _ count: Int, _ rules: RowRules) -> Stop? {
        var done = 0
        do throws(WriteError) {
            while !isUnwanted {
                guard let part = try performPart(of: load) else { return nil }
                guard part.counts != nil else {
                    return performSingly(load, from: done, to: done + part.count, rules)
                }
                done += part.count
                progress.note { report in
                    report.rows.read = done
                    report.bytes = progress.totalBytes * done / count
                }
            }
            return .interrupted
        } catch {
            return stop(after: error)
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
    ) -> Stop? {
        var rows = ImportRows(rules, verb, format)
        var (number, start, end) = (0, start, end)
        progress.note { $0.rows.read = 0 }
        return read(.writing) { (record, names) throws(WriteError) in
            defer { number += 1 }
            if number == end {
                guard let part = try performPart(of: load) else { return }
                end += part.count
                start = part.counts == nil ? number : end
            }
            guard number >= start else { return }
            try write(rows.change(record, names).change, record, rows, load.perform)
        }
    }
}
