import TableFiles
import TestSupport
import Testing

@Suite("Comma- and tab-separated files (RFC 4180, text/tab-separated-values)")
struct FilesDelimitedTests {
    private static let goodFiles: [ReadableFile] = [
        ReadableFile("a,b\n1,2\n", ["a", "b"], [["1", "2"]]),
        ReadableFile("a,b\r\n1,2\r\n", ["a", "b"], [["1", "2"]]),
        ReadableFile("a,b\n1,2", ["a", "b"], [["1", "2"]]),
        ReadableFile("a,b\n1,", ["a", "b"], [["1", nil]]),
        ReadableFile("a,b\n,\n", ["a", "b"], [[nil, nil]]),
        ReadableFile("a,b\n\"\",2\n", ["a", "b"], [["", "2"]]),
        ReadableFile("a,b\n1,\"\"", ["a", "b"], [["1", ""]]),
        ReadableFile("a,b\n\"x,y\",\"p\"\"q\"\n", ["a", "b"], [["x,y", "p\"q"]]),
        ReadableFile("a\n\"x\r\ny\nz\"\n", ["a"], [["x\r\ny\nz"]]),
        ReadableFile("a\n\"\"\"\"\n", ["a"], [["\""]]),
        ReadableFile("a\n\n1\n", ["a"], [[nil], ["1"]]),
        ReadableFile("\"a b\",\"c,d\"\n1,2\n", ["a b", "c,d"], [["1", "2"]]),
        ReadableFile("\u{FEFF}a,b\n1,2\n", ["a", "b"], [["1", "2"]]),
        ReadableFile("\u{FEFF}\"a\"\n1\n", ["a"], [["1"]]),
        ReadableFile("ｎame\n張\n", ["ｎame"], [["張"]]),
        ReadableFile("\u{F000}\n1\n", ["\u{F000}"], [["1"]]),
        ReadableFile("a\n é😀 \n", ["a"], [[" é😀 "]]),
        ReadableFile("a,b\n", ["a", "b"], []),
        ReadableFile("a,b", ["a", "b"], []),
        ReadableFile("a\tb\n1\t2\n", ["a", "b"], [["1", "2"]], format: .tsv),
        ReadableFile("a\tb\r\n\t\"\r\n", ["a", "b"], [[nil, "\""]], format: .tsv),
        ReadableFile("a\n\"\"\n", ["a"], [["\"\""]], format: .tsv),
        ReadableFile("a,b\n1,2\n", ["a,b"], [["1,2"]], format: .tsv),
    ]

    @Test("well-formed files give their records", arguments: goodFiles)
    func good(file: ReadableFile) { file.expectRead(as: .csv) }

    private static let irregularFiles: [RepairedFile] = [
        RepairedFile("a,b\n\"x\"y,2\n", ["a", "b"], [["xy", "2"]], ["strayQuote 1 2:4"]),
        RepairedFile("a,b\n\"x\" ,2\n", ["a", "b"], [["x ", "2"]], ["strayQuote 1 2:4"]),
        RepairedFile("a,b\n1,5\" pipe\n", ["a", "b"], [["1", "5\" pipe"]], ["strayQuote 1 2:4"]),
        RepairedFile("a,b\r1,2\r", ["a", "b"], [["1", "2"]], []),
        RepairedFile("a,b\r1,2\r3,4", ["a", "b"], [["1", "2"], ["3", "4"]], []),
        RepairedFile(
            "a,b,c\n1,2\n1\n",
            ["a", "b", "c"],
            [["1", "2", nil], ["1", nil, nil]],
            ["shortRow 2 2:4"]
        ),
        RepairedFile("a,b\n1,2,,\n", ["a", "b"], [["1", "2"]], ["emptyExtraField 1 2:5"]),
        RepairedFile("\na,b\n\n1,2\n\n", ["a", "b"], [["1", "2"]], ["blankLine 3 1:1"]),
        RepairedFile(
            "a,,b,\n1,2,3,\n",
            ["a", "column_2", "b", "column_4"],
            [["1", "2", "3", nil]]
        ),
        RepairedFile("a,b,a,a\n1,2,3,4\n", ["a", "b", "a_2", "a_3"], [["1", "2", "3", "4"]]),
        RepairedFile("a,a_2,a\n1,2,3\n", ["a", "a_2", "a_3"], [["1", "2", "3"]]),
        RepairedFile("a,\"x\ny\"\n1,2\n", ["a", "x y"], [["1", "2"]]),
        RepairedFile(
            "a\nx\0y\n\"\0\"\n",
            ["a"],
            [["x\u{FFFD}y"], ["\u{FFFD}"]],
            ["nulCharacter 2 2:2"]
        ),
    ]

    @Test("irregular files are read, and what was corrected is counted", arguments: irregularFiles)
    func irregular(file: RepairedFile) { file.expectRead(as: .csv) }

    @Test(
        "cells of every dialect are read, wherever chunks end",
        arguments: [
            ("a;b\n1;2\n\"x;y\";z\n", ["a", "b"], [["1", "2"], ["x;y", "z"]]),
            ("a|b\n1|2\n", ["a", "b"], [["1", "2"]]),
            ("a\tb\n1\t2,x\n", ["a", "b"], [["1", "2,x"]]),
            (
                "a;b\n1.234,50;-7,5\n12;1.000\n", ["a", "b"],
                [["1234.50", "-7.5"], ["12", "1000"]]
            ),
            ("a;b\n1,5;x,y\n1.23,4;,5\n", ["a", "b"], [["1.5", "x,y"], ["1.23,4", ",5"]]),
            ("1.5,x\n2.5,y\n", ["column_1", "column_2"], [["1.5", "x"], ["2.5", "y"]]),
            ("id, \"n\"\n0, \"a, b\"\n1,  c\n", ["id", "n"], [["0", "a, b"], ["1", "  c"]]),
            (
                "# x, \"y\n#\nid,n\n# z\n1,\"#a\n#b\"\n#", ["id", "n"],
                [["1", "#a\n#b"]]
            ),
            (
                "a,b\n\"say \\\"hi\\\" now\",\"c:\\dir\"\n", ["a", "b"],
                [["say \"hi\" now", "c:\\dir"]]
            ),
        ] as [(String, [String], [[String?]])]
    )
    func dialects(text: String, columns: [String], records: [[String?]]) {
        let bytes = Array(text.utf8)
        let dialect = DelimitedDialect.detect(in: bytes.span, usual: .commaSeparated)
        for cuts in [[], Array(1..<bytes.count)] {
            let contents = read(bytes, DelimitedReader(dialect), cuts)
            #expect(contents.error == nil)
            #expect(contents.columns == columns)
            #expect(contents.records == records)
        }
    }

    @Test("single quotes are quotes where that is given")
    func singleQuotes() {
        var dialect = DelimitedDialect.commaSeparated
        dialect.quote = UInt8(ascii: "'")
        let contents = read(Array("a,b\n'x,y','it''s \"z\"'\n".utf8), DelimitedReader(dialect), [])
        #expect(contents.records == [["x,y", "it's \"z\""]])
    }

    @Test(
        "values after the last column are an error, dropped or columns",
        arguments: [
            (ImportOptions.ExtraValues.error, ["a"], [], []),
            (.drop, ["a"], [["1"], ["4"]], ["droppedValue 1 2:3"]),
            (
                .column, ["a", "column_2", "column_3"], [["1", "2", "3"], ["4", nil, nil]],
                ["extraColumn 1 2:3", "shortRow 1 3:2"]
            ),
        ] as [(ImportOptions.ExtraValues, [String], [[String?]], [String])]
    )
    func extraValues(
        choice: ImportOptions.ExtraValues,
        columns: [String],
        records: [[String?]],
        repairs: [String]
    ) {
        var options = ImportOptions()
        options.extraValues = choice
        let reader = DelimitedReader(.commaSeparated, options: options)
        let contents = read(Array("a\n1,2,3\n4\n".utf8), reader, [])
        #expect(contents.columns == columns && contents.records == records)
        #expect(contents.repairs == repairs)
        #expect(
            (contents.error?.reason == .fieldCount(expected: 1, found: 3)) == (choice == .error)
        )
    }

    private static let limit = FileLimits.maximumFieldBytes
    private static let badFiles: [RefusedFile] = [
        RefusedFile("", 1, 1, .emptyFile),
        RefusedFile("\u{FEFF}", 1, 1, .emptyFile),
        RefusedFile("a,b\n1,\"x\ny", 2, 3, .unclosedQuote),
        RefusedFile("a,b\n1,\"", 2, 3, .unclosedQuote),
        RefusedFile("a,b\n1,2,3,4\n", 2, 5, .fieldCount(expected: 2, found: 4)),
        RefusedFile(String(repeating: "n", count: 1001), 1, 1, .columnNameTooLong(limit: 1000)),
        RefusedFile("a\nx", 2, 2, .invalidUTF8, tail: [0xFF, 0x0A]),
        RefusedFile("a\néx", 2, 3, .invalidUTF8, tail: [0xC3]),
        RefusedFile("a\n", 2, 1, .invalidUTF8, tail: [0xC0, 0x80]),
        RefusedFile("a\n", 2, 1, .invalidUTF8, tail: [0xE0, 0x80, 0x80]),
        RefusedFile("a\n", 2, 1, .invalidUTF8, tail: [0xED, 0xA0, 0x80]),
        RefusedFile("a\n", 2, 1, .invalidUTF8, tail: [0xF4, 0x90, 0x80, 0x80]),
        RefusedFile("a\n\"é", 2, 3, .invalidUTF8, tail: [0xE2, 0x82, 0x22]),
        RefusedFile("", 1, 1, .invalidUTF8, tail: [0xEF, 0xBB]),
        RefusedFile("", 1, 1, .invalidUTF8, tail: [0xEF, 0xBB, 0x41]),
        RefusedFile(
            "a,b\n1," + String(repeating: "x", count: limit + 1),
            2,
            3,
            .fieldTooLarge(limit: limit)
        ),
        RefusedFile(
            "a,b\n1,\"" + String(repeating: "\"\"", count: limit + 1),
            2,
            3,
            .fieldTooLarge(limit: limit)
        ),
        RefusedFile(
            (1...1001).map { "c\($0)" }.joined(separator: ",") + "\n",
            1,
            4894,
            .tooManyColumns(limit: 1000)
        ),
        RefusedFile("a\tb\n1\t2\t3\n", 2, 5, .fieldCount(expected: 2, found: 3), format: .tsv),
    ]

    @Test("malformed files are refused at the line and column of the fault", arguments: badFiles)
    func bad(file: RefusedFile) { file.expectRefused(as: .csv) }

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
    func locations() {
        let contents = read("a,b\n\"x\ny\",1\r\n2,3\n", .csv)
        #expect(contents.locations == [.init(line: 2, column: 1), .init(line: 4, column: 1)])
    }

    @Test("what was written by the rules is read back", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
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
