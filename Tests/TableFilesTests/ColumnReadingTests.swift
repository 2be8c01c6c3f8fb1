import Listings
import Testing

@testable import TableFiles

@Suite("The texts of a column are values in the spelling that all of them have")
struct ColumnReadingTests {
    /// A column, its type, and the values of its texts; nil for texts as they are.
    struct Case: CustomTestStringConvertible, Sendable {
        let texts: [String]
        let type: ColumnType
        var values: [String]?
        var options = ImportOptions()
        var given: ColumnType?

        init(
            _ texts: [String],
            _ type: ColumnType,
            _ values: [String]? = nil,
            given: ColumnType? = nil,
            _ change: (inout ImportOptions) -> Void = { _ in }
        ) {
            (self.texts, self.type, self.values, self.given) = (texts, type, values, given)
            change(&options)
        }

        var testDescription: String { "\(texts)" }
    }

    private static func fortieth(_ value: String, _ last: String) -> [String] {
        Array(repeating: value, count: 39) + [last]
    }

    static let cases: [Case] = [
        // Exponents
        Case(["0.02", "6.1e-05", "2e-9", "3.5"], .real, ["0.02", "6.1e-05", "2e-9", "3.5"]),
        Case(["1", "2E5", "3.5"], .real, ["1", "2E5", "3.5"]),
        Case(["10E5", "11E5", "12"], .text),
        Case(["10E5", "7E2"], .text),
        Case(["1e-400", "2"], .real, ["1e-400", "2"]),
        // Blanks and signs
        Case([" 5", " 7", "12"], .integer, ["5", "7", "12"]),
        Case(["  0.8", "10 ", "\t3"], .real, ["0.8", "10", "3"]),
        Case([" a", " b"], .text),
        Case([".5", "1.5", "-.25"], .real, ["0.5", "1.5", "-0.25"]),
        Case(["+5", "-3", "0"], .integer, ["5", "-3", "0"]),
        // Codes
        Case(["01067", "10115"], .text),
        Case(["+4930123456", "12"], .text),
        Case(["0", "0.5", "-0.5"], .real),
        Case(["01067", "10115"], .integer, ["1067", "10115"], given: .integer),
        // Thousands
        Case(["1,000", "2,500", "12"], .integer, ["1000", "2500", "12"]),
        Case(["1,234.50", "-12,000,000"], .real, ["1234.50", "-12000000"]),
        Case(["1 234", "12 345", "1 234 567"], .integer, ["1234", "12345", "1234567"]),
        Case(["1\u{A0}234,5", "12,25"], .real, ["1234.5", "12.25"]),
        Case(["12,50 €", "1.234,5 €", "3 €"], .real, ["12.50", "1234.5", "3"]),
        Case(["12,5", "1.5"], .text),
        Case(["12,5", "1,234"], .text),
        Case(["1,5", "1.000"], .text),
        Case(["1,5"], .text) { $0.hasDecimalComma = false },
        Case(["974 760 673", "974 760 674"], .text),
        Case(["1'234", "5'000.5"], .real, ["1234", "5000.5"]),
        Case(["1.234.567", "1.500"], .integer, ["1234567", "1500"]),
        Case(["1.234.567", "1.5"], .text),
        Case(["1.500", "2.250"], .real),
        Case(["1.500", "2.250"], .integer, ["1500", "2250"]) { $0.thousands = .point },
        Case(["192.168.100.200", "192.168.100.201"], .text),
        Case(["1,000", "1 000"], .text),
        Case(["1,00", "2,00"], .real, ["1.00", "2.00"]),
        Case(["12,34,567"], .text),
        // Units
        Case(["$20", "$3.50", "-$1,000"], .real, ["20", "3.50", "-1000"]),
        Case(["15 %", "7 %"], .integer, ["15", "7"]),
        Case(["15%", "7.5%"], .real, ["15", "7.5"]),
        Case(["20 €", "1 200 €"], .integer, ["20", "1200"]),
        Case(["$20", "€20"], .text),
        Case(["$20", "5"], .text),
        // Dates
        Case(["03/14/2024", "01/02/2024"], .date, ["2024-03-14", "2024-01-02"]),
        Case(["14.03.2024", "1.2.2024"], .date, ["2024-03-14", "2024-02-01"]),
        Case(["8/20/17", "8/21/17"], .date, ["2017-08-20", "2017-08-21"]),
        Case(["2014-7-1", "2014-10-12"], .date, ["2014-07-01", "2014-10-12"]),
        Case(
            ["2015/01/01 01:00:00", "2015/01/02 4:30"],
            .timestamp,
            ["2015-01-01 01:00:00", "2015-01-02 04:30"]
        ),
        Case(["01-04-1982", "01-05-1982"], .text),
        Case(["01-04-1982", "01-05-1982"], .date, ["1982-04-01", "1982-05-01"]) {
            $0.dates = .dmy
        },
        Case(["01-04-1982", "01-05-1982"], .date, ["1982-01-04", "1982-01-05"]) {
            $0.dates = .mdy
        },
        Case(["13/14/2024", "01/02/2024"], .text),
        Case(["14/03/2024", "03/14/2024"], .text),
        Case(["31/02/2024"], .text),
        Case(["1/2/3"], .text),
        Case(["0:44:00", "13:13:00"], .text),
        // Words
        Case(["TRUE", "FALSE"], .boolean, ["true", "false"]),
        Case(["True", "true"], .boolean, ["true", "true"]),
        Case(["Yes", "No", "Yes"], .boolean, ["true", "false", "true"]),
        Case(["yes", "true"], .text),
        Case(["yes", "no", "perhaps"], .text),
        Case(["f", "t"], .text),
        // Numbers in a list
        Case(Array(repeating: "2", count: 40) + ["2,3"], .integer),
        Case(["1,5", "2", "2,75"], .real, ["1.5", "2", "2.75"]),
        // One value in another spelling is an exception
        Case(Array(repeating: "$1,200", count: 39) + ["$1,2"], .integer, fortieth("1200", "$1,2")),
        Case(Array(repeating: "$200", count: 39) + ["950"], .integer, fortieth("200", "950")),
        Case(Array(repeating: "$200", count: 39) + ["$1e3"], .integer, fortieth("200", "$1e3")),
        Case(Array(repeating: "Yes", count: 39) + ["true"], .boolean, fortieth("true", "true")),
        // A comma before three digits stands before decimals if others do
        Case(["12,50 €", "1,125 €", "2,25 €"], .real, ["12.50", "1.125", "2.25"]),
        Case(["1,125 €"], .real, ["1.125"]) { $0.hasDecimalComma = true },
        Case(["1.125 €", "500 €", "2,5 €"], .real, ["1125", "500", "2.5"]) {
            $0.hasDecimalComma = true
        },
        Case(["1 000", "12", "999"], .integer, ["1000", "12", "999"]),
        Case(
            Array(repeating: "1.12.2024", count: 39) + ["1.12.24"],
            .date,
            fortieth("2024-12-01", "1.12.24")
        ) { $0.dates = .dmy },
        Case(["-007", "5"], .text),
        // Empty texts
        Case(["1", "", "3"], .integer, ["1", "", "3"]),
        Case(["$20", ""], .integer, ["20", ""]),
        Case(["a", ""], .text),
        // The type decides
        Case(["03/14/2024", "01/02/2024"], .text, given: .text),
        Case(["1,000", "x", "y", "z"], .integer, ["1000", "x", "y", "z"], given: .integer),
        Case(["14.03.2024", "soon"], .date, ["2024-03-14", "soon"], given: .date),
        Case(["6.1e-05", "x"], .real, given: .real),
    ]

    private func typing(_ example: Case, backwards: Bool = false) -> ColumnTyping {
        var profile = ColumnProfile()
        let texts = backwards ? example.texts.reversed() : example.texts
        for text in texts { profile.add(text.utf8.span, .plain) }
        return profile.typing(example.options, as: example.given)
    }

    @Test("all values decide, in any order", arguments: cases)
    func types(example: Case) {
        let typing = typing(example)
        #expect(typing.type == example.type)
        let backwards = self.typing(example, backwards: true)
        #expect(backwards.type == typing.type)
        #expect(backwards.reading == typing.reading)
        let values = example.texts.map { text in
            typing.reading?.value(text).plainText ?? text
        }
        #expect(values == example.values ?? example.texts)
    }

    @Test("a value is written as the other values of its column are", arguments: cases)
    func spelling(example: Case) {
        guard let reading = typing(example).reading else { return }
        let spelling = reading.spelling
        #expect(spelling.flatMap { ColumnSpelling(sample: $0.sample) } == spelling)
        for text in example.texts {
            let value = reading.value(text)
            let written = reading.text(of: value)
            #expect(reading.value(written) == value, "\(written)")
        }
    }

    @Test(
        "the spelling has the signs of the file",
        arguments: [
            (["1,000"], "1234567.5", "1,234,567.5"),
            (["12,50 €", "1.234,5 €"], "-9876.5", "-9.876,5 €"),
            (["1,5"], "0.25", "0,25"), (["$20"], "-1000", "-$1000"),
            (["15 %"], "7.5", "7.5 %"), (["14.03.2024"], "2024-01-02", "02.01.2024"),
            (["3/14/2024"], "2024-01-02", "1/2/2024"), (["8/20/17"], "2031-01-02", "1/2/31"),
            (["TRUE", "FALSE"], "false", "FALSE"), (["Yes", "No"], "true", "Yes"),
            (["2015/12/13 01:00"], "2024-01-02T03:04:05", "2024/01/02 03:04:05"),
            (["$-5", "$20"], "-1000", "$-1000"),
            (["1\u{A0}000\u{A0}€"], "2000", "2\u{A0}000\u{A0}€"),
            (["1/31/99"], "2070-01-02", "2070-01-02"), (["5 €"], "1e-09", "1e-09"),
            (["8/13/2015 9:00"], "2024-01-02T03:04:05", "1/2/2024 3:04:05"),
        ] as [([String], String, String)]
    )
    func style(texts: [String], value: String, written: String) throws {
        let reading = try #require(typing(Case(texts, .text)).reading)
        #expect(reading.text(of: CellValue.natural(value)) == written)
    }
}
