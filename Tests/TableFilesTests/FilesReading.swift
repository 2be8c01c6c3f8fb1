import TableFiles

struct FileContents: Equatable {
    var columns: [String] = []
    var records: [[String?]] = []
    var locations: [FileLocation] = []
    var error: FileError?
    /// The kind, the number and the first place of each correction.
    var repairs: [String] = []
}

/// Reads a file whose bytes come cut at some places.
func read(_ bytes: [UInt8], _ format: FileFormat, cuts: [Int] = []) -> FileContents {
    switch format {
    case .csv: read(bytes, DelimitedReader(.commaSeparated), cuts)
    case .tsv: read(bytes, DelimitedReader(.tabSeparated), cuts)
    case .json: read(bytes, JSONReader(.array), cuts)
    case .ndjson: read(bytes, JSONReader(.lines), cuts)
    case .workbook: read(bytes, SheetRowReader(), cuts)
    case .archive, .database: FileContents()
    }
}

func read(_ text: String, _ format: FileFormat) -> FileContents { read(Array(text.utf8), format) }

func read<Reader: RecordReader & ~Copyable>(
    _ bytes: [UInt8],
    _ reader: consuming Reader,
    _ cuts: [Int]
) -> FileContents {
    var contents = FileContents()
    var record = FileRecord()
    do {
        var start = 0
        for end in cuts + [bytes.count] {
            let chunk = Array(bytes[start..<end])
            start = end
            var index = 0
            while try reader.read(chunk.span, from: &index, into: &record) == .complete {
                contents.append(record)
            }
            precondition(index == chunk.count, "\(index) of \(chunk.count) bytes were read")
        }
        while try reader.finish(into: &record) == .complete { contents.append(record) }
    } catch {
        contents.error = error
    }
    contents.columns = reader.columns.all
    contents.repairs = reader.repairs.counts.map { "\($0.kind) \($0.count) \($0.first)" }
    // Objects may lack members that came up after them.
    for index in contents.records.indices {
        while contents.records[index].count < contents.columns.count {
            contents.records[index].append(nil)
        }
    }
    return contents
}

extension FileContents {
    fileprivate mutating func append(_ record: borrowing FileRecord) {
        var values: [String?] = []
        for column in 0..<record.count { values.append(record.text(column)) }
        records.append(values)
        locations.append(record.location)
    }
}
