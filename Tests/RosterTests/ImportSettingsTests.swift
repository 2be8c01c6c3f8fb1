import ListAPI
import Listings
import TableFiles
import Testing

@testable import RosterProgram

@Suite("The settings of imports hold for all lists, or for one")
struct ImportSettingsTests {
    private func settings(_ name: String, _ text: String) throws -> ImportSettings {
        let setting = try #require(Setting.reading.first { $0.name == name })
        var settings = ImportSettings()
        try settings.set(setting, to: text, origin: "--x")
        return settings
    }

    @Test("a value with a list before it wins for that list")
    func lists() throws {
        let delimiters = try settings("delimiter", "semicolon,people=tab")
        #expect(delimiters.options(for: "other").delimiter == UInt8(ascii: ";"))
        #expect(delimiters.options(for: "people").delimiter == UInt8(ascii: "\t"))
        #expect(try settings("delimiter", ",").options(for: "a").delimiter == UInt8(ascii: ","))
        #expect(try settings("delimiter", "#").options(for: "a").delimiter == UInt8(ascii: "#"))
        let missing = try settings("missing", "NA,?,people=-,none")
        #expect(missing.options(for: "other").missing == ["NA", "?"])
        #expect(missing.options(for: "people").missing == ["-", "none"])
        let types = try settings("types", "age=integer,people=age=text,other=text")
        #expect(types.options(for: "people").type(named: "age") == .text)
        #expect(types.options(for: "x").type(named: "age") == .integer)
        #expect(types.options(for: "other").types == .text)
    }

    @Test(
        "a value that is not allowed is refused with what is",
        arguments: [
            ("delimiter", "x", "comma, semicolon, tab, pipe, space or one other sign"),
            ("delimiter", "people=;;", "comma, semicolon, tab, pipe, space or one other sign"),
            ("quote", "back", "double, single or none"), ("header", "2", "yes or no"),
            ("skip-lines", "-1", "a number from 0 to 1000000"), ("decimal", ".", "comma or point"),
            ("extra-values", "keep", "error, column or drop"),
            ("encoding", "utf-99", "an encoding that"),
            ("missing", "a,,b", "texts such as NA,?,-"), ("types", "age", "text or COLUMN=TYPE"),
            ("types", "age=number", "COLUMN=TYPE with one of"), ("types", "id=real", "id=text"),
        ] as [(String, String, String)]
    )
    func refused(name: String, text: String, allowed: String) {
        do {
            _ = try settings(name, text)
            Issue.record("\(text) is allowed")
        } catch let failure as Failure {
            #expect(failure.text.contains(allowed))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test(
        "a flag is given for several lists, and not twice for one",
        arguments: [
            (["--types", "a=text", "--types", "b=real"], nil),
            (["--types", "a=text", "--types", "a=real"], "--types: two values for column 'a'"),
            (["--delimiter", "tab", "--delimiter", "x=comma"], nil),
            (
                ["--delimiter", "tab", "--delimiter", "comma"],
                "--delimiter: two values for all lists"
            ),
            (["--header", "x=no", "--header=x=yes"], "--header: two values for list 'x'"),
            (["--missing", "x=-", "--missing", "NA,x=?", "--missing", "."], nil),
        ]
    )
    func repeated(flags: [String], error: String?) throws {
        let words = ["import", "x.csv", "--database", "x.db"] + flags
        do throws(Failure) {
            let settings = try Configuration(arguments: flags, environment: [:]).imports
            let command = try ListCommand(arguments: words, environment: [:])
            guard case .importing(let importing) = command else {
                Issue.record("\(words) import nothing")
                return
            }
            #expect(importing.imports == settings && error == nil)
            let options = settings.options(for: "x")
            switch flags[0] {
            case "--types": #expect(options.types == .named(["a": .text, "b": .real]))
            case "--delimiter": #expect(options.delimiter == UInt8(ascii: ","))
            default:
                #expect(options.missing == ["?", "-"])
                #expect(settings.options(for: "y").missing == [".", "NA"])
            }
        } catch let failure {
            #expect(failure.text == error)
        }
    }

    @Test("a setting of a list that does not exist is refused with a suggestion")
    func unknownList() throws {
        let settings = try settings("header", "pople=no")
        let failure = settings.refusal(of: [], besides: ["people"])
        #expect(failure?.text == "--header: no list 'pople'; did you mean people?")
        #expect(
            try self.settings("header", "people=no").refusal(of: [], besides: ["people"]) == nil
        )
    }
}

extension ImportOptions {
    fileprivate func type(named column: String) -> ColumnType? {
        guard case .named(let types) = types else { return nil }
        return types[column]
    }
}
