import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("A foreign key compares numbers by value, everywhere")
struct RelatedSpellingTests {
    private let client: Client

    init() throws {
        let folder = try ScratchFolder()
        try folder.write(Array("id,name\n1,A\n2,B\n3,C\n".utf8), to: "par.csv")
        let codes = ["1", "1.0", "01", "2", "x", "", "3", "9", "+1"]
        let rows = codes.enumerated().map { "\($0 + 1),\($1)\n" }
        try folder.write(Array(("id,code\n" + rows.joined()).utf8), to: "chi.csv")
        var configuration = Configuration()
        configuration.sources = try ["par", "chi"].map {
            try SourceArgument("\(folder.path)/\($0).csv")
        }
        var options = ServiceOptions()
        options.relations.relations = [ListRelation(list: "chi", column: "code", target: "par")]
        client = try Client(try ListRegistry(configuration).lists, options: options)
    }

    /// The rows whose codes are numbers equal to 1.
    private func named() throws -> [String] {
        let rows = try client.get("/chi.json?code.name=A").json().rows.map(\.id)
        #expect(rows.contains("1") && rows.contains("2") && !rows.contains("4"))
        return rows
    }

    @Test("labels and their links are those of the condition")
    func labels() throws {
        let page = try client.get("/chi.json").json()
        let rows = page["sections"]?.elements.flatMap { $0["rows"]?.elements ?? [] } ?? []
        let labelled = rows.filter { $0["display", "code"]?.text == "A" }
        #expect(try labelled.map { $0["id"]?.text } == named())
        let html = try client.get("/chi.html").body
        #expect(try html.matches(of: /<a href="\/par\/1">A<\/a>/).count == named().count)
        #expect(!html.contains("/par/1.0"))
        let condition = try client.get("/chi.html?code__is=1.0").body
        #expect(condition.contains(">Code is A</span>"), "\(condition)")
    }

    @Test("embedded rows are those of the condition, in both directions")
    func embedded() throws {
        let page = try client.get("/chi.json?embed=code").json()
        let rows = page["sections"]?.elements.flatMap { $0["rows"]?.elements ?? [] } ?? []
        let found = rows.filter { $0["embedded", "code", "id"]?.text == "1" }
        #expect(try found.map { $0["id"]?.text } == named())
        let outer = try client.get("/par.json?embed=chi&limit=1")
        for id in try named() {
            #expect(outer.body.contains("\"self\":\"/chi/\(id)\""), "\(outer.body)")
        }
        #expect(outer.body.matches(of: /"self":"\/chi\//).count == (try named().count))
    }

    @Test("the related rows of a row are those of the condition")
    func related() throws {
        let row = try client.get("/par/1.json").json()
        let total = row["related"]?.elements.first?["total", "value"]?.integer
        #expect(try total == named().count)
    }
}
