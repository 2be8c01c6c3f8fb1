import TableFiles
import Testing

struct ReadableFile: Sendable, CustomTestStringConvertible {
    let text: String
    let columns: [String]
    let records: [[String?]]
    /// The format, where it is not that of the suite.
    let format: FileFormat?

    var testDescription: String { text.debugDescription }

    init(
        _ text: String,
        _ columns: [String],
        _ records: [[String?]],
        format: FileFormat? = nil
    ) {
        self.text = text
        self.columns = columns
        self.records = records
        self.format = format
    }

    func expectRead(as standard: FileFormat) {
        let contents = read(text, format ?? standard)
        #expect(contents.error == nil)
        #expect(contents.columns == columns)
        #expect(contents.records == records)
    }
}

struct RepairedFile: Sendable, CustomTestStringConvertible {
    let text: String
    let columns: [String]
    let records: [[String?]]
    let repairs: [String]
    let format: FileFormat?

    var testDescription: String { text.debugDescription }

    init(
        _ text: String,
        _ columns: [String],
        _ records: [[String?]],
        _ repairs: [String] = [],
        format: FileFormat? = nil
    ) {
        self.text = text
        self.columns = columns
        self.records = records
        self.repairs = repairs
        self.format = format
    }

    func expectRead(as standard: FileFormat) {
        let whole = read(text, format ?? standard)
        #expect(whole.error == nil)
        #expect(whole.columns == columns)
        #expect(whole.records == records)
        #expect(whole.repairs == repairs)
        let bytes = Array(text.utf8)
        // The file reads the same wherever its chunks end.
        #expect(read(bytes, format ?? standard, cuts: Array(1..<bytes.count)) == whole)
    }
}

struct RefusedFile: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let error: FileError
    /// The format, where it is not that of the suite.
    let format: FileFormat?

    var testDescription: String {
        String(decoding: bytes.prefix(120), as: UTF8.self).debugDescription
    }

    init(
        _ text: String,
        _ line: Int,
        _ column: Int,
        _ reason: FileError.Reason,
        tail: [UInt8] = [],
        format: FileFormat? = nil
    ) {
        bytes = Array(text.utf8) + tail
        error = FileError(reason, at: FileLocation(line: line, column: column))
        self.format = format
    }

    func expectRefused(as standard: FileFormat) {
        #expect(read(bytes, format ?? standard).error == error)
    }
}
