import Rendering
import Testing

@Suite("Writing CSV (RFC 4180)")
struct CSVWriterTests {
    @Test("every ASCII byte comes back from a reader", arguments: UInt8(0)..<128)
    func quoting(_ byte: UInt8) {
        let text = "a" + String(UnicodeScalar(byte)) + "b"
        let csv = written(.kept) { writer in
            writer.field(text)
            writer.field("c")
            writer.endRecord()
        }
        #expect(readCSV(csv) == [[text, "c"]])
    }

    @Test(
        "quotes stand only where they are needed",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("\"", "\"\"\"\""),
            ("a\r\nb", "\"a\r\nb\""), ("", "\"\""), (" a ", " a "), ("=1", "=1"),
        ]
    )
    func fields(_ text: String, _ expected: String) {
        #expect(written(.kept) { $0.field(text) } == expected)
    }

    @Test(
        "texts that a spreadsheet would run get an apostrophe if that is asked for",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("\ta", "'\ta"),
            ("\ra", "\"'\ra\""), ("=a,b", "\"'=a,b\""), ("a=1", "a=1"), ("", "\"\""),
        ]
    )
    func formulas(_ text: String, _ expected: String) {
        #expect(written(.neutralised) { $0.field(text) } == expected)
    }

    @Test("numbers are never taken for formulas")
    func numbers() {
        let page = Fixture.page(Person(id: "-1", name: "-1", age: -1, score: -0.5))
        let records = readCSV(Fixture.csv(page, formulas: .neutralised))
        #expect(records.last == ["all", "'-1", "'-1", "u19@example.org", "", "-1", "-0.5", "", ""])
    }

    @Test("no value and an empty text differ")
    func nulls() {
        let csv = Fixture.csv(Fixture.page(Person(id: "1", name: "", email: nil)))
        #expect(csv.hasSuffix("\r\nall,1,\"\",,,,,,\r\n"))
    }

    private func written(
        _ formulas: CSVWriter.Formulas,
        _ body: (inout CSVWriter) -> Void
    ) -> String {
        Fixture.text { CSVWriter.write(to: &$0, formulas: formulas, body) }
    }
}

/// Reads what RFC 4180 allows; anything else gives other records than were written.
func readCSV(_ csv: String) -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    var bytes = Array(csv.utf8)[...]
    while let byte = bytes.popFirst() {
        switch byte {
        case UInt8(ascii: "\""):
            if isQuoted, bytes.first == byte {
                field.append(byte)
                bytes.removeFirst()
            } else {
                isQuoted.toggle()
            }
        case UInt8(ascii: ",") where !isQuoted:
            record.append(String(decoding: field, as: UTF8.self))
            field = []
        case UInt8(ascii: "\r") where !isQuoted && bytes.first == UInt8(ascii: "\n"):
            bytes.removeFirst()
            records.append(record + [String(decoding: field, as: UTF8.self)])
            record = []
            field = []
        default: field.append(byte)
        }
    }
    return records
}
