import Listings
import TableFiles
import TestSupport
import Testing

@Suite("Types and names found in files")
struct FilesTypeTests {
    private static let columns: [([String], ColumnType)] = [
        ([], .text),
        (["1", "-5", "0", "9223372036854775807", "-9223372036854775808"], .integer),
        (["007"], .text),
        (["1", "007"], .text),
        (["+1"], .integer),
        (["1 "], .integer),
        (["9223372036854775808"], .integer),
        (["1", "-9223372036854775809"], .integer),
        (["1", "0.5"], .real),
        (["1e3", "-2.50"], .real),
        (["1", "-0"], .integer),
        (["1.50", "1.10"], .real),
        (["123456789012345678901234567890.5"], .real),
        (["1."], .text),
        ([".5"], .real),
        (["0x10"], .text),
        (["NaN"], .text),
        (["Infinity"], .text),
        (["1e999"], .text),
        (["0.5", "9007199254740993"], .real),
        (["0.5", "9007199254740992"], .real),
        (["true", "false"], .boolean),
        (["True"], .boolean),
        (["true", "1"], .text),
        (["1958-10-13", "2024-02-29"], .date),
        (["2023-02-29"], .text),
        (["1958-10-13T00:00:00", "2024-01-01 00:00Z"], .timestamp),
        (["1958-10-13", "2024-01-01T00:00:00.5+02:00"], .timestamp),
        (["2024-01-01T24:30:00"], .text),
        (Array(repeating: "1", count: 19) + ["NA"], .integer),
        (Array(repeating: "1.5", count: 18) + ["NA", "?"], .text),
        (Array(repeating: "2024-01-01", count: 39) + ["", "soon"], .date),
        (["a@example.org", "x.y+z@a-b.example.co"], .email),
        (["a@example"], .text),
        (["a@b@example.org"], .text),
        (["@example.org"], .text),
        (["a@-x.org"], .text),
        (["a@x..org"], .text),
        (["a b@example.org"], .text),
        (["https://example.org/a?b#c", "http://x", "HTTPS://Example.org"], .link),
        (["https://"], .text),
        (["https:///path"], .text),
        (["ftp://example.org"], .text),
        (["https://a b"], .text),
        (["javascript:alert(1)"], .text),
        (["1", ""], .integer),
        (["", "https://example.org"], .link),
        (["", "x"], .text),
        (["", ""], .text),
        (["1", "x"], .text),
        (["[1,2]"], .text),
    ]

    @Test("a column has the narrowest type that all its values have", arguments: columns)
    func types(values: [String], type: ColumnType) {
        var facts = ColumnProfile()
        for value in values { facts.add(value.utf8.span, .plain) }
        #expect(facts.type == type)
        var backwards = ColumnProfile()
        for value in values.reversed() { backwards.add(value.utf8.span, .plain) }
        #expect(backwards.type == type)
    }

    @Test(
        "a number of JSON has an exponent of at most four digits, zero has any; others are texts",
        arguments: [
            ("0e456789", .real), ("-0.00E+99999999999999999999", .real), ("1e-9999", .real),
            ("1e-10000", .text), ("10e-00007", .real),
            ("0." + String(repeating: "1", count: 998), .real),
            ("0." + String(repeating: "1", count: 999), .text),
        ] as [(String, ColumnType)]
    )
    func powers(text: String, type: ColumnType) {
        var facts = ColumnProfile()
        facts.add(text.utf8.span, .number)
        #expect(facts.type == type)
        let value = FieldValue.value(text.utf8.span, .number)
        #expect(value == CellValue.parse(text, as: type))
    }

    @Test(
        "bytes that are no UTF-8 are no value of any type",
        arguments: [[0xFF, 0xFE, 0xC3, 0x28], [0x31, 0x80], [0xC3]] as [[UInt8]]
    )
    func malformed(bytes: [UInt8]) {
        var facts = ColumnProfile()
        facts.add(bytes.span, .plain)
        #expect(facts.type == .text)
    }

    @Test("integers are read exactly", arguments: 0..<100 as Range<UInt64>)
    func integers(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        let value = Int64(bitPattern: numbers.next()) >> Int64.random(in: 0...63, using: &numbers)
        #expect(FieldValue.integer("\(value)".utf8.span) == value)
    }

    @Test(
        "a value is what its file writes",
        arguments: [
            ("1.10", .plain, .decimal(ExactDecimal("1.10")!)), ("1.10", .string, .text("1.10")),
            ("42", .plain, .integer(42)), ("42", .string, .text("42")),
            ("42", .number, .integer(42)),
            ("1e3", .plain, .text("1e3")), ("1e3", .number, .decimal(ExactDecimal("1000")!)),
            ("true", .plain, .boolean(true)), ("true", .string, .text("true")),
            ("2024-02-29", .string, .date(CalendarDate("2024-02-29")!)),
            ("[1]", .container, .json("[1]")),
            ("[1]", .plain, .text("[1]")), ("", .plain, .text("")),
        ] as [(String, FieldForm, CellValue)]
    )
    func values(text: String, form: FieldForm, value: CellValue) {
        let found = FieldValue.value(text.utf8.span, form)
        #expect(found == value)
        #expect(found.plainText == text)
    }

    @Test("a column says which of its values are of another type, the most frequent first")
    func exceptions() throws {
        let rows = Array(repeating: "1", count: 97) + ["?", "NA", "NA"]
        let plan = try plan("n,t\n" + rows.map { "\($0),x\n" }.joined())
        #expect(plan.columns[0].type == .integer)
        #expect(plan.columns[0].isMixed)
        #expect(!plan.columns[1].isMixed)
        #expect(plan.keyed == [0])
        let exceptions = try #require(plan.exceptions.first)
        #expect(plan.exceptions.count == 1)
        #expect(exceptions.count == 3)
        #expect(exceptions.total == 100)
        #expect(exceptions.examples.map(\.text) == ["NA", "?"])
        #expect(exceptions.examples.map(\.count) == [2, 1])
    }

    /// Plans the list of a CSV file that ends with a line break.
    private func plan(_ text: String) throws -> ImportPlan {
        var survey = SchemaInference()
        var reader = DelimitedReader(.commaSeparated)
        var record = FileRecord()
        var index = 0
        let bytes = Array(text.utf8)
        while try reader.read(bytes.span, from: &index, into: &record) == .complete {
            survey.add(record)
        }
        return ImportPlan(reader.columns, survey: survey)
    }

    @Test("digits that begin with 0 make their column one of texts, unless its type is given")
    func leadingZeros() throws {
        let plan = try plan("plz,n,t,id\n80331,1,0x1,007\n01067,0,05b,2\n00999,0.5,-,3\n")
        #expect(plan.columns.map(\.type) == [.text, .real, .text, .text])
        #expect(plan.spellings.map(\.column) == ["plz"])
        let found = try #require(plan.spellings.first)
        #expect(found.count == 2 && found.total == 3 && found.example == "01067")
    }

    @Test("a column named id gives the ids and is the column id of the list, where it stands")
    func idColumn() throws {
        let numbered = try plan("name,id\nx,1\ny,2\n")
        #expect(numbered.idColumns == [1])
        #expect(numbered.idType == .integer)
        #expect(numbered.columns == [Column("name"), Column("id", label: "ID", type: .integer)])
        #expect(numbered.valueColumns == [0])
        #expect(try plan("id\nA1\n").idType == .text)
        let halves = try plan("id\n0.5\n")
        #expect(halves.idType == .text)
        #expect(halves.columns.map(\.type) == [.text])
        let shouted = try plan("ID,x\n1,2\n")
        #expect(shouted.idColumns == [0])
        #expect(shouted.columns.map(\.id) == ["id", "x"])
        #expect(shouted.renames.isEmpty)
        let both = try plan("Id,id\n1,2\n")
        #expect(both.idColumns == [1])
        #expect(both.columns.map(\.id) == ["Id_", "id"])
        let unnumbered = try plan("name\nx\n")
        #expect(unnumbered.idColumns.isEmpty)
        #expect(unnumbered.columns.map(\.id) == ["name"])
        #expect(unnumbered.idType == .integer)
    }

    private static let names: [(String, [String])] = [
        ("firstName,last_name,Zip Code", ["firstName", "last_name", "Zip Code"]),
        ("id,limit,iD", ["id", "limit_", "iD_"]),
        ("a__b,Name,name", ["a_b", "Name", "name_2"]),
        ("roster_revision", ["roster_revision_"]),
    ]

    @Test("columns whose names have another meaning are listed under another", arguments: names)
    func aliases(header: String, ids: [String]) throws {
        let plan = try plan(header + "\n")
        #expect(plan.columns.map(\.id) == ids)
        for rename in plan.renames { #expect(rename.id != rename.name) }
        // What is planned is what a list accepts.
        _ = try ListSchema(columns: plan.columns)
    }

    @Test("labels are made of the names in the file")
    func labels() throws {
        let plan = try plan("firstName,limit,a__b\n")
        #expect(plan.columns.map(\.label) == ["First name", "Limit", "A b"])
    }

    @Test(
        "the ending of a path tells the format",
        arguments: [
            ("people.csv", .csv), ("a/b.TSV", .tsv), ("x.json", .json), ("x.y.ndjson", .ndjson),
            ("x.jsonl", .ndjson), ("x.sqlite3", .database), ("x.db", .database), ("x", nil),
            (".csv", nil), ("csv", nil), ("a.csv/b", nil), ("x.txt", nil), ("x.", nil), ("", nil),
        ] as [(String, FileFormat?)]
    )
    func formats(path: String, format: FileFormat?) {
        #expect(FileFormat(path: path) == format)
    }

    @Test("a file is named without its folders and its ending")
    func fileNames() {
        #expect(FileFormat.name(ofFileAt: "data/people.v2.csv") == "people.v2")
        #expect(FileFormat.name(ofFileAt: "people") == "people")
        #expect(FileFormat.name(ofFileAt: ".csv") == ".csv")
    }
}
