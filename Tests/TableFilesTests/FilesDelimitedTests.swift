import TableFiles
import Testing

@Suite("Comma- and tab-separated files (RFC 4180, text/tab-separated-values)")
struct FilesDelimitedTests {
    struct Good: Sendable {
        let text: String
        let columns: [String]
        let records: [[String?]]
        var format = FileFormat.csv
    }

    private static let goodFiles: [Good] = [
        Good(text: "a,b\n1,2\n", columns: ["a", "b"], records: [["1", "2"]]),
        Good(text: "a,b\r\n1,2\r\n", columns: ["a", "b"], records: [["1", "2"]]),
        Good(text: "a,b\n1,2", columns: ["a", "b"], records: [["1", "2"]]),
        Good(text: "a,b\n1,", columns: ["a", "b"], records: [["1", nil]]),
        Good(text: "a,b\n,\n", columns: ["a", "b"], records: [[nil, nil]]),
        Good(text: "a,b\n\"\",2\n", columns: ["a", "b"], records: [["", "2"]]),
        Good(text: "a,b\n1,\"\"", columns: ["a", "b"], records: [["1", ""]]),
        Good(text: "a,b\n\"x,y\",\"p\"\"q\"\n", columns: ["a", "b"], records: [["x,y", "p\"q"]]),
        Good(text: "a\n\"x\r\ny\nz\"\n", columns: ["a"], records: [["x\r\ny\nz"]]),
        Good(text: "a\n\"\"\"\"\n", columns: ["a"], records: [["\""]]),
        Good(text: "a\n\n1\n", columns: ["a"], records: [[nil], ["1"]]),
        Good(text: "\"a b\",\"c,d\"\n1,2\n", columns: ["a b", "c,d"], records: [["1", "2"]]),
        Good(text: "\u{FEFF}a,b\n1,2\n", columns: ["a", "b"], records: [["1", "2"]]),
        Good(text: "\u{FEFF}\"a\"\n1\n", columns: ["a"], records: [["1"]]),
        Good(text: "ｎame\n張\n", columns: ["ｎame"], records: [["張"]]),
        Good(text: "\u{F000}\n1\n", columns: ["\u{F000}"], records: [["1"]]),
        Good(text: "a\n é😀 \n", columns: ["a"], records: [[" é😀 "]]),
        Good(text: "a,b\n", columns: ["a", "b"], records: []),
        Good(text: "a,b", columns: ["a", "b"], records: []),
        Good(text: "a\tb\n1\t2\n", columns: ["a", "b"], records: [["1", "2"]], format: .tsv),
        Good(text: "a\tb\r\n\t\"\r\n", columns: ["a", "b"], records: [[nil, "\""]], format: .tsv),
        Good(text: "a\n\"\"\n", columns: ["a"], records: [["\"\""]], format: .tsv),
        Good(text: "a,b\n1,2\n", columns: ["a,b"], records: [["1,2"]], format: .tsv),
    ]

    @Test("well-formed files give their records", arguments: goodFiles)
    func good(file: Good) {
        let contents = read(file.text, file.format)
        #expect(contents.error == nil)
        #expect(contents.columns == file.columns)
        #expect(contents.records == file.records)
    }

    struct Bad: Sendable {
        let bytes: [UInt8]
        let line: Int
        let column: Int
        let reason: FileError.Reason
        var format = FileFormat.csv

        init(
            _ text: String,
            _ line: Int,
            _ column: Int,
            _ reason: FileError.Reason,
            tail: [UInt8] = [],
            format: FileFormat = .csv
        ) {
            bytes = Array(text.utf8) + tail
            self.line = line
            self.column = column
            self.reason = reason
            self.format = format
        }
    }

    private static let limit = FileLimits.maximumFieldBytes
    private static let badFiles: [Bad] = [
        Bad("", 1, 1, .emptyFile),
        Bad("\u{FEFF}", 1, 1, .emptyFile),
        Bad("a,b\n1,\"x\ny", 2, 3, .unclosedQuote),
        Bad("a,b\n1,\"", 2, 3, .unclosedQuote),
        Bad("a,b\n\"x\"y,2\n", 2, 4, .textAfterQuote),
        Bad("a,b\n\"x\" ,2\n", 2, 4, .textAfterQuote),
        Bad("a,b\n1,x\"y\"\n", 2, 4, .quoteInUnquotedField),
        Bad("a,b\n1, \"y\"\n", 2, 4, .quoteInUnquotedField),
        Bad("a,b\r1,2\n", 1, 4, .carriageReturnAlone),
        Bad("a,b\n1,2\r", 2, 4, .carriageReturnAlone),
        Bad("a,b,c\n1,2,3\n1,2\n", 3, 4, .fieldCount(expected: 3, found: 2)),
        Bad("a,b,c\r\n1,2\r\n", 2, 4, .fieldCount(expected: 3, found: 2)),
        Bad("a,b,c\n\"\n\",2", 3, 4, .fieldCount(expected: 3, found: 2)),
        Bad("a,b\n1,2,3,4\n", 2, 5, .fieldCount(expected: 2, found: 4)),
        Bad("a,b\n1,2\n\n", 3, 1, .blankLine),
        Bad("\na,b\n", 1, 1, .emptyColumnName),
        Bad("a,,b\n", 1, 3, .emptyColumnName),
        Bad("a,\"\"\n", 1, 3, .emptyColumnName),
        Bad("a,b,a\n", 1, 5, .duplicateColumn("a")),
        Bad("a,\"x\ny\"\n", 1, 3, .controlCharacterInColumnName),
        Bad(String(repeating: "n", count: 201), 1, 1, .columnNameTooLong(limit: 200)),
        Bad("a\nx", 2, 2, .invalidUTF8, tail: [0xFF, 0x0A]),
        Bad("a\néx", 2, 3, .invalidUTF8, tail: [0xC3]),
        Bad("a\n", 2, 1, .invalidUTF8, tail: [0xC0, 0x80]),
        Bad("a\n", 2, 1, .invalidUTF8, tail: [0xE0, 0x80, 0x80]),
        Bad("a\n", 2, 1, .invalidUTF8, tail: [0xED, 0xA0, 0x80]),
        Bad("a\n", 2, 1, .invalidUTF8, tail: [0xF4, 0x90, 0x80, 0x80]),
        Bad("a\n\"é", 2, 3, .invalidUTF8, tail: [0xE2, 0x82, 0x22]),
        Bad("", 1, 1, .invalidUTF8, tail: [0xEF, 0xBB]),
        Bad("", 1, 1, .invalidUTF8, tail: [0xEF, 0xBB, 0x41]),
        Bad("a\nxy", 2, 3, .nulCharacter, tail: [0]),
        Bad("a\n\"xy", 2, 4, .nulCharacter, tail: [0]),
        Bad(
            "a,b\n1," + String(repeating: "x", count: limit + 1),
            2,
            3,
            .fieldTooLarge(limit: limit)
        ),
        Bad(
            "a,b\n1,\"" + String(repeating: "\"\"", count: limit + 1),
            2,
            3,
            .fieldTooLarge(limit: limit)
        ),
        Bad(
            (1...1001).map { "c\($0)" }.joined(separator: ",") + "\n",
            1,
            4894,
            .tooManyColumns(limit: 1000)
        ),
        Bad("a\tb\n1\n", 2, 2, .fieldCount(expected: 2, found: 1), format: .tsv),
        Bad("a\tb\n1\t2\t3\n", 2, 5, .fieldCount(expected: 2, found: 3), format: .tsv),
    ]

    @Test("malformed files are refused at the line and column of the fault", arguments: badFiles)
    func bad(file: Bad) {
        let contents = read(file.bytes, file.format)
        let place = FileLocation(line: file.line, column: file.column)
        #expect(contents.error == FileError(file.reason, at: place))
    }

    @Test("a value of exactly the limit is read")
    func largestField() {
        let value = String(repeating: "x", count: Self.limit)
        #expect(read("a\n\(value)\n", .csv).records == [[value]])
        #expect(read("a\n\"\(value)\"\n", .csv).records == [[value]])
    }

    @Test("a record larger than its limit is refused")
    func largestRecord() {
        let value = String(repeating: "x", count: Self.limit)
        let names = (1...17).map { "c\($0)" }.joined(separator: ",")
        let values = Array(repeating: value, count: 17).joined(separator: ",")
        let error = read("\(names)\n\(values)\n", .csv).error
        let reason = FileError.Reason.recordTooLarge(limit: FileLimits.maximumRecordBytes)
        #expect(error == FileError(reason, at: FileLocation(line: 2, column: 1)))
    }

    @Test("records say where they begin, behind line breaks in quotes too")
    func places() {
        let contents = read("a,b\n\"x\ny\",1\r\n2,3\n", .csv)
        #expect(contents.places == [.init(line: 2, column: 1), .init(line: 4, column: 1)])
    }

    @Test("what was written by the rules is read back", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let signs = ["a", "é", "張", "😀", ",", "\"", "\n", "\r\n", " ", "\t", "0"]
        let width = Int.random(in: 1...4, using: &numbers)
        var records: [[String?]] = []
        for _ in 0..<Int.random(in: 0...6, using: &numbers) {
            var record: [String?] = []
            for _ in 0..<width {
                let length = Int.random(in: -1...4, using: &numbers)
                let value = (0..<max(0, length)).map { _ in signs.randomElement(using: &numbers) }
                record.append(length < 0 ? nil : value.compactMap(\.self).joined())
            }
            records.append(record)
        }
        let names = (0..<width).map { "c\($0)" }
        let lines = ([names] + records).map { record in
            let fields = record.map { value in
                value.map {
                    "\""
                        + $0.split(separator: "\"", omittingEmptySubsequences: false)
                        .joined(separator: "\"\"") + "\""
                } ?? ""
            }
            return fields.joined(separator: ",") + "\r\n"
        }
        let contents = read(lines.joined(), .csv)
        #expect(contents.error == nil)
        #expect(contents.records == records)
    }
}
