import Database
import ListAPI
import ListAPITestSupport
import Listings
import SQLite
import TestSupport
import Testing

@testable import RosterProgram

@Suite("Files are imported by the choices of the command line")
struct ImportOptionTests {
    private let folder: ScratchFolder
    private static let numbers = (1...38).map { "\($0),\($0)" }.joined(separator: "\n")

    init() throws { folder = try ScratchFolder() }

    private func library(
        _ text: String,
        _ flags: [String],
        _ file: String = "t.csv"
    ) throws -> ListRegistry {
        try folder.write(Array(text.utf8), to: file)
        let arguments = ["\(folder.path)/\(file)"] + flags
        return try ListRegistry(try Configuration(arguments: arguments, environment: [:]))
    }

    /// The columns of the list with their types; mixed ones have a `*`.
    private func columns(_ library: ListRegistry) -> [String] {
        library.lists[0].source.schema.columns.map { column in
            "\(column.id) \(column.type.rawValue)\(column.isMixed ? "*" : "")"
        }
    }

    @Test("the texts of --missing are no values, with quotes or without, and ids are none of them")
    func missing() throws {
        let text = "id,n,name\nNA,1,NA\n?,?,\"NA\"\nc,NA,na\nd,,NAME\n"
        let library = try library(text, ["--missing", "NA,?"])
        #expect(columns(library) == ["id text", "n integer", "name text"])
        let client = try Client(library.lists)
        let lines = try client.get("/t.csv").body.split(separator: "\r\n").map(String.init)
        #expect(Set(lines.dropFirst()) == ["?,,", "c,,na", "d,,NAME", "NA,1,"])
        let tabs = try self.library("a\tb\n-\t1\nx\t-\n", ["--missing=-"], "t.tsv")
        #expect(columns(tabs) == ["a text", "b integer"])
    }

    @Test("a line of one missing text is a line with too few fields, and not a blank one")
    func shortLine() throws {
        let notices = try library("a,b\nNA\n", ["--missing", "NA"]).contents.notices
        #expect(notices[0].contains("fewer fields than the header: 1, the first at 2:3"))
    }

    @Test("the note about values of other types proposes the markers among them")
    func note() throws {
        let text = "id,n\n" + Self.numbers + "\n39,NA\n40,?\n"
        let notices = try library(text, []).contents.notices
        let note = "not numbers: '?' (1), 'NA' (1); --missing '?,NA' reads them as missing"
        #expect(notices.contains { $0.hasSuffix(note) }, "\(notices)")
        #expect(
            !(try library(text, ["--missing", "?,NA"]).contents.notices.contains {
                $0.contains("not")
            })
        )
        let dump = try library("id,n\n1,\\N\n2,3\n", []).contents.notices
        let advice =
            "1 of 2 values are not numbers: '\\N' (1); --missing '\\N' reads them as missing"
        #expect(dump.contains { $0.hasSuffix(advice) }, "\(dump)")
        let word = try library("id,n\n" + Self.numbers + "\n39,x\n", []).contents.notices
        #expect(word.contains { $0.hasSuffix("not numbers: 'x' (1)") }, "\(word)")
    }

    @Test(
        "types are given to all columns or to some",
        arguments: [
            ("text", ["id text", "zip text", "day text"]),
            ("zip=text", ["id integer", "zip text", "day date"]),
            ("zip=text,day=timestamp", ["id integer", "zip text", "day timestamp"]),
            ("day=integer", ["id integer", "zip text", "day integer*"]),
            ("id=text", ["id text", "zip text", "day date"]),
        ]
    )
    func types(flag: String, expected: [String]) throws {
        let text = "id,zip,day\n1,007,2024-01-31\n2,12,2024-02-29\n10,1,\n"
        let library = try library(text, ["--types", flag])
        #expect(columns(library) == expected)
        let client = try Client(library.lists)
        #expect(try client.get("/t/1.json").body.contains(#""zip":"007""#))
        #expect(try client.get("/t.csv").body.contains("\r\n2,12,2024-02-29\r\n"))
        guard flag == "text" else { return }
        #expect(try client.get("/t.json").body.contains(#""zip":"12""#))
        #expect(!(try client.get("/t.json?zip=7").body.contains("007")))
    }

    @Test(
        "the advice of a note is followed as written, also for a column with the name of its list"
    )
    func advice() throws {
        let text = "id,t,phone\n1,01067,0123\n2,80331,456\n3,1,7\n"
        let notices = try library(text, []).contents.notices
        let flags = notices.compactMap { notice -> [String]? in
            guard let start = notice.firstRange(of: "--types ") else { return nil }
            let value = notice[start.upperBound...].prefix { $0 != " " }
            return ["--types", String(value)]
        }
        #expect(flags == [["--types", "t=t=integer"], ["--types", "phone=integer"]])
        let library = try library(text, flags.flatMap { $0 })
        #expect(columns(library) == ["id integer", "t integer", "phone integer"])
        let failure = #expect(throws: Failure.self) {
            _ = try self.library(text, ["--types", "t=text"])
        }
        let reason = "'t=text' is a list and a column; write t=t=text for the column"
        #expect(failure?.text == "--types: \(reason)")
    }

    @Test(
        "what is not understood is told with what is allowed",
        arguments: [
            (["--types", "zip=txt"], "COLUMN=TYPE with one of text, email, link, integer, real"),
            (["--types", "zip=bytes"], "COLUMN=TYPE with one of text"),
            (["--types", "txt"], "text or COLUMN=TYPE"), (["--types", "id=date"], "id=text"),
            (["--types", "zpi=text"], "no list has a column 'zpi'; did you mean 'zip'?"),
            (["--missing", "NA,,x"], "texts such as NA,?,-"),
        ]
    )
    func refusals(flags: [String], reason: String) throws {
        let failure = #expect(throws: Failure.self) { try library("id,zip\n1,2\n", flags) }
        #expect(failure?.text.contains(reason) == true, "\(String(describing: failure))")
    }

    @Test("a file is imported again where the options are others than before")
    func again() throws {
        let text = "id,n\n1,NA\n2,3\n"
        let database = ["--database", "\(folder.path)/lists.db"]
        func isImported(_ flags: [String]) throws -> Bool {
            let notices = try library(text, flags + database).contents.notices
            return notices.contains { $0.contains("imported 2 rows") }
        }
        #expect(try isImported([]))
        #expect(try isImported(["--missing", "NA"]))
        #expect(try isImported(["--types", "n=text"]))
        #expect(try isImported(["--types", "text"]))
        #expect(try isImported([]))
    }

    @Test("a command imports by the same options")
    func command() throws {
        try folder.write(Array("id,n\n1,NA\n".utf8), to: "t.csv")
        let path = "\(folder.path)/t.csv"
        func command(_ flags: String...) throws -> ImportCommand? {
            let words = ["import", path, "--database", "\(folder.path)/lists.db"] + flags
            guard
                case .importing(let command)? = try ListCommand(arguments: words, environment: [:])
            else { return nil }
            return command
        }
        let imported = try #require(try command("--missing", "NA", "--types", "n=real"))
        let store = try ListStore(path: imported.database)
        let options = imported.imports.options(for: "t")
        let tables = try SourceContents(.path(path), options: options).tables
        let list = try store.importTable(tables[0], as: "t") { _ in true }.list
        #expect(list.columns.map(\.type) == [.integer, .real])
        let wrong = try #require(try command("--types", "m=real"))
        #expect(wrong.imports.refusal(of: [list])?.text.contains("did you mean 'n'?") == true)
    }
}
