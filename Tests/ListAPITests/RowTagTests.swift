import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("The tag of a row names all that its response has")
struct RowTagTests {
    private let folder: ScratchFolder
    private let client: Client

    init() throws {
        let folder = try ScratchFolder()
        self.folder = folder
        try folder.write(Array("id,name\n1,A\n2,B\n".utf8), to: "parents.csv")
        try folder.write(Array("id,parent,name\n1,1,x\n2,2,y\n".utf8), to: "children.csv")
        var configuration = Configuration()
        configuration.sources = try ["parents", "children"].map {
            try SourceArgument("\(folder.path)/\($0).csv")
        }
        configuration.database = folder.path + "/lists.db"
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        options.relations.relations = [
            ListRelation(list: "children", column: "parent", target: "parents")
        ]
        client = try Client(try ListRegistry(configuration).lists, options: options)
    }

    private func rename(_ row: String, tag: String = "*") throws -> Int {
        try client.send(.patch, row, #"{"name":"z"}"#, fields: [(.ifMatch, tag)]).status
    }

    @Test(
        "another related, embedded or labelling row is another tag, with which the row is written",
        arguments: [
            ("/parents/1", "/children/1"), ("/parents/1.json", "/children/1"),
            ("/parents/1?embed=children", "/children/1"), ("/children/2", "/parents/2"),
            ("/children/2?embed=parent", "/parents/2"),
        ]
    )
    func others(target: String, other: String) throws {
        let before = try client.get(target)
        #expect(try client.get(target).field("ETag") == before.field("ETag"))
        #expect(try rename(other) == 200)
        let after = try client.get(target)
        #expect(before.body != after.body && before.field("ETag") != after.field("ETag"))
        let row = String(target.prefix { $0 != "?" && $0 != "." })
        #expect(try rename(row, tag: try #require(before.field("ETag"))) == 200)
        #expect(try rename(row, tag: try #require(after.field("ETag"))) == 412)
    }

    @Test("two addresses with different content have different tags")
    func addresses() throws {
        var bodies: [String: String] = [:]
        for target in [
            "/parents/1", "/parents/1.json", "/parents/1?embed=children", "/parents/2",
            "/parents/1?pretty=1", "/children/1", "/children/1?pretty=1",
        ] {
            let response = try client.get(target)
            let tag = try #require(response.field("ETag"))
            #expect(tag.hasPrefix("\""))
            #expect(bodies[tag, default: response.body] == response.body)
            bodies[tag] = response.body
        }
        #expect(bodies.count == 7)
    }
}
