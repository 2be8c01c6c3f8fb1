import Foundation
import TestSupport
import Testing

@Suite("Downloads by address and by command")
struct DownloadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let everyType = #"""
        ID,section,text,whole,large,exact,long,flag,day,early,local,instant,fine,json
        a,x,=1+1,1,9007199254740993,1.25,0.12345678901234567,true,2024-02-29,1850-01-01,2024-03-01T10:20:30,2024-03-01T12:00:00+02:00,2024-03-01T00:00:00.0001,"{""a"":[1,2]}"
        b,x,שלום 👩‍👩‍👧,-9007199254740992,2,0.001,1,false,1900-02-28,1900-03-01,1900-02-28T06:00:00,2024-03-01T00:00:00Z,2024-03-01T00:00:00.125,[]
        c,y,"a<b>&""c""  ",,,,,,,,,,,
        d,y,"two
        lines, _x000B_",0,-3,100,2,true,9999-12-31,2000-01-01,2000-01-01T00:00:00,2000-01-01T00:00:00.5-11:30,2000-01-01T00:00:00,"{}"

        """#

    private func export(_ words: String) throws -> [UInt8] {
        let program = RosterProcess.program(named: "roster").path
        let file = folder.path("export")
        let database = folder.path("lists.db")
        let line = "'\(program)' export \(words) --database '\(database)' > '\(file)'"
        let run = try OutsideProgram.run("sh", ["-c", line])
        #expect(run.code == 0, "\(words): \(run.output)")
        return Array(try Data(contentsOf: URL(filePath: file)))
    }

    private func imported(_ table: String, as list: String) throws {
        let file = try folder.write(table, to: "\(list).csv")
        let database = folder.path("lists.db")
        #expect(try RosterProcess.run(["import", file, "--database", database]).ending == .exit(0))
    }

    @Test(
        "a command writes what the server sends",
        arguments: [
            "", "group=section_", "sort=-whole&columns=whole,section,text", "text__contains=a",
            "sort=json.a", "group=day:year", "day:year=2024&sort=-fine:month",
        ]
    )
    func sameBytes(query: String) throws {
        try imported(Self.everyType, as: "things")
        let rows = (1...1_500).map { "\($0 % 7),name \($0)\n" }
        try imported("n,name\n" + rows.joined(), as: "numbers")
        let server = try RosterProcess(serving: ["--database", folder.path("lists.db")])
        for format in ["csv", "xlsx"] {
            let sent = try server.get("/things.\(format)?\(query)").body
            #expect(try export("'things?\(query)' --format \(format)") == sent, "\(format)")
            let all = try server.get("/numbers.\(format)").body
            #expect(try export("numbers --format \(format)") == all, "\(format)")
        }
        try server.stop()
    }

    @Test("an exported workbook is the same list, with types, units and spellings")
    func sameWorkbook() throws {
        let rows = [
            "id,born,price,share,ok,at,utc,long,code,Sum of all",
            #"1,14.03.2024,"$1,234.50",15 %,Yes,2024-03-14 10:00,2024-03-14T10:00:00Z,0.1234567000,007,1.0"#,
            #"2,02.01.1999,$20,2.5 %,No,2024-03-14 11:30,2024-03-15T10:00:00.250Z,0.5,010,2.0"#,
            #"3,,"$1,000,000",,,,,,,3.0"#,
        ]
        let csv = rows.map { $0 + "\r\n" }.joined()
        try imported(csv, as: "bills")
        #expect(try export("bills") == Array(csv.utf8))
        let workbook = try folder.write(try export("bills --format xlsx"), to: "copies.xlsx")
        let arguments = ["import", workbook, "--database", folder.path("lists.db")]
        #expect(try RosterProcess.run(arguments).ending == .exit(0))
        #expect(try export("copies") == Array(csv.utf8))
        let page = "'bills?price__gt=1000&columns=price'"
        #expect(String(decoding: try export(page), as: UTF8.self).contains("1,234.50"))
    }

    @Test(
        "values without edits leave as they came",
        arguments: [
            "price,born,p\n\"$1,200 \",14.03.2024,6.1e-05\n$950 ,02.01.2023,4e+06\n",
            "id,share,at\n1,21.50%,8/3/2015 9:05\n2,0.75%,12/31/2015 19:05\n",
            "n,v\n" + (1...39).map { "\($0),$\($0)\n" }.joined() + "40,950\n",
            "amount,ok\n\"12,50 €\",yes\n\"-1.234,50 €\",no\n",
            "n,zip\n\"4,779,736\",01067\n999,10115\n",
            "a\n\"one, two\"\n\"three, four, five\"\nsix\n",
        ]
    )
    func spellings(table: String) throws {
        let lines = table.replacing("\n", with: "\r\n")
        let file = try folder.write(table, to: "things.csv")
        let server = try RosterProcess(serving: [file])
        #expect(try server.get("/things.csv").text == lines)
        try server.stop()
        try imported(table, as: "things")
        #expect(String(decoding: try export("things"), as: UTF8.self) == lines)
    }

    private func merge(_ rows: String, _ server: RosterProcess) throws {
        let fields = "Content-Type: text/csv\r\nAccept: application/json\r\n"
        let client = try server.connect()
        try client.send(
            "POST /things/-/import?on_duplicate=merge HTTP/1.1\r\nHost: localhost\r\n\(fields)"
                + "Content-Length: \(rows.utf8.count)\r\n\r\n\(rows)"
        )
        let progress = try #require(try client.receiveResponse(to: "POST").field("Location"))
        while try !server.get(progress, fields: fields).text.contains(#""state":"done""#) {}
    }

    @Test("an import reads the spelling of a column that has a few other values, too")
    func importedMixedSpellings() throws {
        let table = "id,v\n" + (1...39).map { "\($0),$\($0)\n" }.joined() + "40,950\n"
        let file = try folder.write(table, to: "things.csv")
        let server = try RosterProcess(serving: [file, "--allow-anonymous-writes"])
        try merge("id,v\n41,$77\n", server)
        let added = try server.get("/things.ndjson?id__gte=40").text
        #expect(added == #"{"id":40,"v":"950"}"# + "\n" + #"{"id":41,"v":77}"# + "\n")
        try server.stop()
        #expect(try String(contentsOfFile: file, encoding: .utf8) == table + "41,$77\n")
    }

    @Test("an import into the list reads the spelling of its columns, which the file keeps")
    func importedSpellings() throws {
        let file = try folder.write(
            "id,price,born,paid\n1,\"$1,200\",14.03.2024,TRUE\n2,$950,02.01.2023,FALSE\n",
            to: "things.csv"
        )
        let server = try RosterProcess(serving: [file, "--allow-anonymous-writes"])
        try merge("id,price,born,paid\n2,\"$9,500\",3.4.2025,True\n3,7,2025-05-06,false\n", server)
        let kept = "id,price,born,paid\n1,\"$1,200\",14.03.2024,TRUE\n"
        let added = "2,\"$9,500\",03.04.2025,TRUE\n3,$7,06.05.2025,FALSE\n"
        let found = try server.get("/things.csv").text
        #expect(found == (kept + added).replacing("\n", with: "\r\n"))
        try server.stop()
        #expect(try String(contentsOfFile: file, encoding: .utf8) == kept + added)
    }

    @Test(
        "a workbook is read as the list from which it came",
        arguments: [
            "k,t\na,2015-03-26T21:55:00Z\nb,2015-03-26T21:55:01Z\n", "k,t\na,\"\"\nb,\nc,x\n",
            "a,b\n1,x\n,\n3,y\n,\n", "n,p\na,1.0\nb,2.50\nc,3.123456\n", "a\nx\u{B}y_x000B_\n",
        ]
    )
    func workbook(table: String) throws {
        let file = try folder.write(table, to: "things.csv")
        let server = try RosterProcess(serving: [file])
        let (sent, rows) = (try server.get("/things.xlsx").body, try server.get("/things.ndjson"))
        try server.stop()
        let saved = folder.path("copies.xlsx")
        try Data(sent).write(to: URL(filePath: saved))
        let second = try RosterProcess(serving: [saved])
        #expect(try second.get("/copies.ndjson").text == rows.text)
        try second.stop()
    }

    @Test("a list of other names, or with rows that were numbered, is exported as it was imported")
    func roundTrip() throws {
        for (number, table) in [
            "ID,section,First Name,a__b\n1,x,Ann,2\n2,y,,3\n", "name,limit\nb,1\na,\n",
            "x\n1\n2\n", Self.everyType,
        ].enumerated() {
            try imported(table, as: "first\(number)")
            let first = String(decoding: try export("first\(number)"), as: UTF8.self)
            #expect(first.hasPrefix(table.prefix { $0 != "\n" } + "\r\n"))
            try imported(first, as: "second\(number)")
            let second = String(decoding: try export("second\(number)"), as: UTF8.self)
            #expect(second == first)
            let lines = ["first", "second"].map { "\($0)\(number) --format ndjson" }
            #expect(try export(lines[0]) == export(lines[1]))
        }
    }

    @Test("a workbook of every type has the values of the list")
    func workbook() throws {
        try imported(Self.everyType, as: "things")
        let sheet = try ReadWorkbook(export("things --format xlsx")).sheets[0]
        #expect(sheet.rows.count == 5)
        let second = "yyyy-mm-dd hh:mm:ss"
        #expect(
            sheet.rows[1] == [
                .text("a"), .text("x"), .text("=1+1"), .number(1), .text("9007199254740993"),
                .number(1.25), .text("0.12345678901234567"), .boolean(true),
                .date(45_351, format: "yyyy-mm-dd"), .text("1850-01-01"),
                .date(45_352.430902777778, format: second),
                .date(45_352.416666666664, format: second + "\"Z\""),
                .text("2024-03-01T00:00:00.0001"), .text(#"{"a":[1,2]}"#),
            ]
        )
        #expect(sheet.rows[3] == [.text("c"), .text("y"), .text("a<b>&\"c\"  ")])
    }

    @Test(
        "openpyxl and calamine read the values of a workbook",
        .enabled(if: OutsideProgram.readsWorkbooks, "python3 has neither openpyxl nor calamine")
    )
    func otherReaders() throws {
        try imported(Self.everyType, as: "things")
        let bytes = try export("'things?group=section_' --format xlsx")
        try Data(bytes).write(to: URL(filePath: folder.path("things.xlsx")))
        let script = #"""
            import sys, warnings, datetime as d
            warnings.simplefilter("error")
            import openpyxl, python_calamine
            rows = [
                ("a", "x", "=1+1", 1, "9007199254740993", 1.25, "0.12345678901234567", True,
                 d.datetime(2024, 2, 29), "1850-01-01", d.datetime(2024, 3, 1, 10, 20, 30),
                 d.datetime(2024, 3, 1, 10), "2024-03-01T00:00:00.0001", '{"a":[1,2]}'),
                ("b", "x", "שלום 👩‍👩‍👧", -9007199254740992, 2, 0.001, 1, False,
                 d.datetime(1900, 2, 28), d.datetime(1900, 3, 1), d.datetime(1900, 2, 28, 6),
                 d.datetime(2024, 3, 1), d.datetime(2024, 3, 1, 0, 0, 0, 125000), "[]"),
            ]
            book = openpyxl.load_workbook(sys.argv[1])
            assert book.sheetnames == ["x", "y"], book.sheetnames
            assert book["x"].freeze_panes == "A2" and book["x"].auto_filter.ref == "A1:N3"
            assert list(book["x"].iter_rows(min_row=2, values_only=True)) == rows
            other = python_calamine.CalamineWorkbook.from_path(sys.argv[1])
            whole = lambda v: d.datetime(v.year, v.month, v.day) if type(v) is d.date else v
            found = other.get_sheet_by_name("x").to_python()[1:]
            assert [tuple(map(whole, row)) for row in found] == rows, found
            """#
        let run = try OutsideProgram.run("python3", ["-c", script, folder.path("things.xlsx")])
        #expect(run.code == 0, "\(run.output)")
    }
}

extension OutsideProgram {
    /// Whether Python has the two readers of workbooks.
    fileprivate static let readsWorkbooks: Bool =
        (try? run("python3", ["-c", "import openpyxl, python_calamine"]).code) == 0
}
