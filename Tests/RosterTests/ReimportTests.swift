import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@testable import RosterProgram

@Suite("Files that Roster wrote are read as the list from which they came")
struct ReimportTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func list(
        _ text: String,
        of file: String,
        _ flags: [String] = []
    ) throws -> (columns: [Column], client: Client, notices: [String]) {
        try folder.write(Array(text.utf8), to: file)
        let arguments = ["\(folder.path)/\(file)"] + flags
        let lists = try ListRegistry(try Configuration(arguments: arguments, environment: [:]))
        let columns = lists.lists[0].source.schema.columns
        return (columns, try Client(lists.lists), lists.contents.notices)
    }

    private static let users =
        "id,firstName,lastName,occupation\n1,Ada,Byron,engineer\n2,Bo,Cy,\n3,Cy,D,~x\n"
    private static let numbered = "region,n,ok\nnorth,1.50,true\nsouth,2,false\n,,\nÄst,7,true\n"

    @Test(
        "columns, ids and values are the same",
        arguments: [
            ("users", users, "/users.csv", []), ("users", users, "/users.ndjson", []),
            ("t", numbered, "/t.csv", []), ("t", numbered, "/t.ndjson", []),
            ("t", numbered, "/t.ndjson?group=region", []),
            ("t", numbered, "/t.ndjson?group=region:initial", []),
            ("t", numbered, "/t.ndjson?group=ok&sort=-region", []),
            ("t", numbered, "/t.ndjson?sort=-n", []),
            ("t", "id,v\n1,a\n1,b\n", "/t.csv", []), ("t", "id,v\n1,a\n1,b\n", "/t.ndjson", []),
            ("t", "sku,limit\na1,5\nb2,6\n", "/t.ndjson", ["--key", "t=sku"]),
            ("t", "1,Ada\n2,Bo\n", "/t.ndjson", []),
            ("t", "section,title\n1,Intro\n2,End\n", "/t.ndjson", []),
            ("t", "section,title\n1,Intro\n2,End\n", "/t.ndjson?group=title", []),
        ] as [(String, String, String, [String])]
    )
    func same(name: String, text: String, target: String, flags: [String]) throws {
        let first = try list(text, of: "\(name).csv", flags)
        let export = try first.client.get(target).body
        let ending = target.contains("ndjson") ? "ndjson" : "csv"
        let second = try list(export, of: "\(name).\(ending)")
        #expect(second.columns == first.columns, "\(export)")
        let rows = "/\(name).ndjson?group=none&sort=id"
        #expect(try second.client.get(rows).body == first.client.get(rows).body)
        #expect(try second.client.get("/\(name).csv").body == first.client.get("/\(name).csv").body)
        let isReported = second.notices.contains { $0.contains("is left out") }
        #expect(isReported == (export.contains("section") && name == "users" || ending == "ndjson"))
    }

    @Test(
        "a column that no other repeats is one of the list",
        arguments: [
            ("t.csv", "section,title\n1,Intro\n2,End\n", ["section_", "title"]),
            ("t.csv", "title,section\na,a\n", ["title", "section_"]),
            ("t.ndjson", #"{"id":"x","n":1}"#, ["id", "n"]),
            ("t.ndjson", #"{"id":7,"n":1}"#, ["id", "n"]),
            ("t.ndjson", #"{"n":1,"id":"7"}"#, ["n", "id"]),
            ("t.ndjson", "{\"id\":\"1\",\"n\":1}\n{\"id\":\"x\",\"n\":1}", ["id", "n"]),
            ("t.ndjson", #"{"id":"1","section":"b","n":1}"#, ["section_", "n"]),
        ]
    )
    func others(file: String, text: String, columns: [String]) throws {
        #expect(try list(text, of: file).columns.map(\.id) == columns)
    }

    @Test("a type of the column id keeps it")
    func kept() throws {
        let text = #"{"id":"1","n":1}"#
        #expect(try list(text, of: "t.ndjson").columns.map(\.id) == ["n"])
        let typed = try list(text, of: "t.ndjson", ["--types", "id=text"])
        #expect(typed.columns.map(\.id) == ["id", "n"])
    }

    @Test("an export with a column that repeats another one is no file for edits")
    func edits() throws {
        let failure = #expect(throws: Failure.self) {
            _ = try list("section,a\nx,x\n", of: "t.csv", ["--allow-anonymous-writes"])
        }
        #expect(failure?.text.contains("is an export with a column that repeats") == true)
    }
}
