import Bytes
package import TableFiles

package struct FileReading {
    package let maximumErrors: Int
    package var bytesBetweenReports = 16 << 20
    /// The maximum size of a JSON document that is no array of objects, which is held in memory.
    package var maximumDocumentBytes = 512 << 20
    private let options: ImportOptions
    private let onProgress: (ImportProgress) -> Void
    private let isCancelled: () -> Bool

    package init(
        maximumErrors: Int,
        options: ImportOptions = ImportOptions(),
        onProgress: @escaping (ImportProgress) -> Void,
        isCancelled: @escaping () -> Bool
    ) {
        precondition(maximumErrors > 0, "\(maximumErrors) errors are looked for")
        self.maximumErrors = maximumErrors
        self.options = options
        self.onProgress = onProgress
        self.isCancelled = isCancelled
    }

    package enum Continuation {
        case nextRecord
        case end
    }

    package func read(
        _ file: inout SourceFile,
        _ format: FileFormat,
        _ phase: ImportProgress.Phase,
        as readings: [Int: ColumnReading] = [:],
        _ body: (borrowing FileRecord, ColumnNames) throws(ImportError) -> Continuation
    ) throws(ImportError) -> (columns: ColumnNames, findings: FileFindings) {
        var beginning = ByteBuffer()
        var findings = FileFindings()
        if !file.isReplaced {
            try file.readBeginning(into: &beginning)
            let marked = beginning.withBytes { TextEncoding(unitsOf: $0) }
            if let encoding = options.encoding, file.encoding != encoding {
                file.encoding = encoding
                try file.readBeginning(into: &beginning)
            } else if file.encoding == .utf8, marked != .utf8 {
                file.encoding = marked
                try file.readBeginning(into: &beginning)
            }
        }
        findings.encoding = file.encoding
        findings.isEncodingGuessed = file.isEncodingGuessed
        let columns: ColumnNames
        switch format {
        case .csv, .tsv:
            let usual: DelimitedDialect = format == .csv ? .commaSeparated : .tabSeparated
            var dialect = beginning.withBytes {
                DelimitedDialect.detect(in: $0, usual: usual, options: options)
            }
            findings.headerDoubt = dialect.headerDoubt
            dialect.headerDoubt = nil
            if dialect != usual { findings.dialect = dialect }
            dialect.footerLines = options.footerLines
            let reader = DelimitedReader(dialect, options: options)
            (columns, findings.repairs) = try read(&file, reader, phase, readings, body)
        case .json, .ndjson:
            let isNDJSON = format == .ndjson
            let layout =
                file.isReplaced
                ? .lines
                : beginning.withBytes { JSONReader.Layout.detect(in: $0, isNDJSON: isNDJSON) }
            guard let layout, options.rowsAt == nil || file.isReplaced else {
                let document = try document(&file)
                guard document.lists.count <= 1 else {
                    throw .refused(
                        path: file.path,
                        [FileError(.severalLists(document.lists), at: .start)]
                    )
                }
                file.replace(by: document)
                return try read(&file, format, phase, as: readings, body)
            }
            if file.isReplaced { try file.readBeginning(into: &beginning) }
            let nested = beginning.withBytes { NestedColumns(in: $0, layout) }
            let reader = JSONReader(layout, nested: nested)
            findings.json = file.form ?? JSONForm(layout == .array ? .array : .lines, nested)
            findings.json?.nested = nested
            (columns, findings.repairs) = try read(&file, reader, phase, readings, body)
            for repair in file.repairs.counts {
                findings.repairs.add(repair.kind, at: repair.first, count: repair.count)
            }
            (findings.rows, findings.jsonShape) = (file.rowsPath, file.shape)
        case .workbook:
            (columns, findings.repairs) = try read(&file, SheetRowReader(), phase, readings, body)
            findings.sheet = file.sheet
        case .archive, .database:
            throw .unknownFormat(path: file.path)
        }
        findings.invalidCharacters = file.invalidCharacters
        return (columns, findings)
    }

    /// Reads a file, or a list of it, that cannot be read record by record.
    func document(_ file: inout SourceFile) throws(ImportError) -> JSONRows {
        guard let list = file.list else {
            guard let path = options.rowsAt else { return try wholeDocument(&file) }
            return try parse(&file, at: path)
        }
        let rows = try wholeDocument(&file)
        do { return try rows.selecting(list) } catch { throw .refused(path: file.path, [error]) }
    }

    /// A document with several lists is read once for all of them.
    private func wholeDocument(_ file: inout SourceFile) throws(ImportError) -> JSONRows {
        if let known = file.documents?.rows(of: file) { return known }
        let rows = try parse(&file, at: nil)
        file.documents?.store(rows, of: file)
        return rows
    }

    private func parse(
        _ file: inout SourceFile,
        at path: String?
    ) throws(ImportError) -> JSONRows {
        let tooLarge = ImportError.refused(
            path: file.path,
            [FileError(.documentTooLarge(limit: maximumDocumentBytes), at: .start)]
        )
        guard file.stamp.bytes <= maximumDocumentBytes else { throw tooLarge }
        var bytes: [UInt8] = []
        var chunk = ByteBuffer()
        file.rewind()
        while true {
            guard !isCancelled() else { throw .cancelled }
            try file.read(into: &chunk)
            if chunk.isEmpty { break }
            bytes += chunk.array()
            // Compressed documents are larger than their files.
            guard bytes.count <= maximumDocumentBytes else { throw tooLarge }
        }
        do throws(FileError) {
            return try JSONRows(bytes, at: path)
        } catch {
            throw .refused(path: file.path, [error])
        }
    }

    private func read<Reader: RecordReader & ~Copyable>(
        _ file: inout SourceFile,
        _ reader: consuming Reader,
        _ phase: ImportProgress.Phase,
        _ readings: [Int: ColumnReading],
        _ body: (borrowing FileRecord, ColumnNames) throws(ImportError) -> Continuation
    ) throws(ImportError) -> (ColumnNames, FileRepairs) {
        var record = FileRecord()
        var chunk = ByteBuffer()
        var (bytes, records, nextReport) = (0, 0, 0)
        let total = file.totalBytes
        func report() {
            onProgress(
                ImportProgress(phase: phase, bytes: bytes, totalBytes: total, records: records)
            )
        }
        file.respellings = [:]
        let spelled = readings.filter { $0.value != .text }
        var errors: [FileError] = []
        file.rewind()
        while true {
            guard !isCancelled() else { throw .cancelled }
            if bytes >= nextReport {
                report()
                nextReport = bytes + bytesBetweenReports
            }
            try file.read(into: &chunk)
            bytes = file.compressedBytesRead ?? bytes + chunk.count
            let isAtEnd = chunk.isEmpty
            var index = 0
            while true {
                let progress: RecordProgress
                do throws(FileError) {
                    progress =
                        try isAtEnd
                        ? reader.finish(into: &record)
                        : chunk.withBytes { (bytes) throws(FileError) in
                            try reader.read(bytes, from: &index, into: &record)
                        }
                } catch {
                    // A writer may still write the last line.
                    if isAtEnd, records > 0, case .unexpectedEnd = error.reason,
                        reader.recover(from: error)
                    {
                        continue
                    }
                    errors.append(error)
                    guard errors.count < maximumErrors, !isAtEnd, reader.recover(from: error)
                    else { throw .refused(path: file.path, errors) }
                    continue
                }
                guard progress == .complete else { break }
                records += 1
                for (column, reading) in spelled {
                    guard let found = record.read(column, as: reading) else { continue }
                    file.respellings[column, default: found].count += 1
                }
                guard try body(record, reader.columns) == .nextRecord else {
                    return (reader.columns, reader.repairs)
                }
            }
            if isAtEnd { break }
        }
        guard errors.isEmpty else { throw .refused(path: file.path, errors) }
        report()
        return (reader.columns, reader.repairs)
    }
}
