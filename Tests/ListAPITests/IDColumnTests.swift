import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("The ids of an imported list are a column like others")
struct IDColumnTests {
    private let folder: ScratchFolder
    private let client: Client

    init() throws {
        let folder = try ScratchFolder()
        self.folder = folder
        let countries = "name,id,people\nGermany,DE,83\nAustria,AT,9\nDelta,de2,1\nDenmark,Dk,6\n"
        try folder.write(Array(countries.utf8), to: "countries.csv")
        try folder.write(Array("id,name\n10,Ten\n9,Nine\n2,Two\n".utf8), to: "numbers.csv")
        try folder.write(Array("name,city\na,b\nc,d\n".utf8), to: "plain.csv")
        var configuration = Configuration()
        configuration.sources = try ["countries", "numbers", "plain"].map { name in
            try SourceArgument("\(folder.path)/\(name).csv")
        }
        configuration.allowsAnonymousWrites = true
        configuration.database = ":memory:"
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        client = try Client(try ListRegistry(configuration).lists, options: options)
    }

    private func ids(_ target: String) throws -> [String] {
        let answer = try client.get(target)
        #expect(answer.status == 200, "\(target) \(answer.body)")
        let sections = try answer.json()["sections"]?.elements ?? []
        return sections.flatMap { $0["rows"]?.elements ?? [] }.compactMap { $0["id"]?.text }
    }

    @Test(
        "it is asked as others are",
        arguments: [
            ("countries?sort=id", ["AT", "DE", "de2", "Dk"]),
            ("countries?sort=-id", ["Dk", "de2", "DE", "AT"]), ("countries?id=DE", ["DE"]),
            ("countries?id=de", []), ("countries?id__in=AT,x", ["AT"]),
            ("countries?id__ne=DE&sort=id", ["AT", "de2", "Dk"]),
            ("countries?id__startswith=d&sort=id", ["DE", "de2", "Dk"]),
            ("countries?id__endswith=2", ["de2"]), ("countries?id__contains=T", ["AT"]),
            ("countries?id__gt=DE&sort=id", ["de2", "Dk"]), ("countries?id__isnull=true", []),
            ("countries?q=at", ["AT"]), ("countries?group=id&limit=2", ["AT", "DE"]),
            ("countries?group=id:initial&per_section=1", ["AT", "DE"]),
            ("countries?group=id&section=DE", ["DE"]), ("countries?sort=id&jump=D&limit=1", ["DE"]),
            ("numbers?sort=id", ["2", "9", "10"]), ("numbers?sort=-id,name", ["10", "9", "2"]),
            ("numbers?id__gte=9&sort=id", ["9", "10"]), ("numbers?id=x", []),
            ("numbers?id__nin=2,9", ["10"]), ("plain?id=2", ["2"]), ("plain?sort=-id", ["2", "1"]),
        ]
    )
    func asked(target: String, expected: [String]) throws {
        #expect(try ids("/" + target) == expected)
    }

    @Test(
        "what it cannot be asked is refused, as is a list without it",
        arguments: [
            "countries?id__gte", "countries?columns=id,id", "countries?sort=id,-id",
            "countries?id__like=a", "numbers?id__gt=a", "numbers?id__startswith=1",
            "plain?columns=id,id", "plain?columns=title,id", "plain?id__gt=1", "plain?facets=id",
            "plain?group=id",
        ]
    )
    func refused(target: String) throws {
        #expect(try client.get("/" + target).status == 400)
    }

    @Test("it is shown where the file has it, beside the id of the row")
    func shown() throws {
        let page = try client.get("/countries.json?id=DE").json()
        #expect(
            page["columns"]?.elements.compactMap { $0["id"]?.text } == ["name", "id", "people"]
        )
        #expect(page["columns"]?.elements.compactMap { $0["label"]?.text }[1] == "ID")
        let row = page["sections"]?.elements.first?["rows"]?.elements.first
        #expect(row?["id"]?.text == "DE")
        #expect(row?["cells", "id"]?.text == "DE")
        let chosen = try client.get("/numbers.json?columns=id&limit=1").json()
        #expect(chosen["columns"]?.elements.compactMap { $0["id"]?.text } == ["id"])
        #expect(try client.cells("/numbers/9")?["id"]?.integer == 9)
        #expect(try client.cells("/plain/1")?["id"] == nil)
        let schema = try client.get("/countries/-/schema").json()
        let column = try #require(schema["columns"]?.elements.first { $0["id"]?.text == "id" })
        #expect(column["operators"]?.elements.compactMap(\.text).contains("startswith") == true)
    }

    @Test("a page for people shows it last, and says it once of a row")
    func pages() throws {
        let page = try client.get("/numbers.html?sort=id").body
        #expect(page.contains(#"<a dir="auto" href="/numbers/9">Nine</a>"#))
        #expect(page.contains(#"<td class="num id" data-l="ID">9</td></tr>"#))
        #expect(
            page.contains(#"aria-sort="ascending" class="num"><a href="/numbers.html?sort=-id">ID"#)
        )
        #expect(page.contains(#"<option data-t="n" value="id">"#))
        let row = try client.get("/numbers/9.html").body
        #expect(row.ranges(of: "<dt>ID</dt>").count == 1)
        #expect(row.contains("<h1><bdi>Nine</bdi></h1>"))
        let chosen = try client.get("/countries.html?id__in=DE,AT").body
        #expect(chosen.contains("ID is one of DE, AT"))
    }

    @Test(
        "a table of the rows has it once",
        arguments: [
            ("countries.csv?id=DE", "name,id,people\r\nGermany,DE,83\r\n"),
            ("countries.csv?id=DE&columns=name", "name\r\nGermany\r\n"),
            ("numbers.csv?id=9&columns=name,id", "name,id\r\nNine,9\r\n"),
            ("plain.csv?id=1", "name,city\r\na,b\r\n"),
            ("plain.csv?id=1&columns=id,name", "id,name\r\n1,a\r\n"),
            ("plain.csv?id=1&columns=section,id", "section,id\r\nall,1\r\n"),
            ("numbers.ndjson?id=9", #"{"id":9,"name":"Nine"}"# + "\n"),
            (
                "numbers.ndjson?id=9&columns=name",
                #"{"id":9,"name":"Nine"}"# + "\n"
            ),
            (
                "countries.ndjson?id=DE&columns=id,name",
                #"{"id":"DE","name":"Germany"}"# + "\n"
            ),
            ("plain.ndjson?id=1", #"{"id":"1","name":"a","city":"b"}"# + "\n"),
        ]
    )
    func tables(target: String, expected: String) throws {
        #expect(try client.get("/" + target).body == expected)
    }

    @Test("the id is given once to a new row, and stays")
    func writes() throws {
        #expect(try client.send(.post, "/countries", #"{"id":"IT","name":"Italy"}"#).status == 201)
        #expect(try client.cells("/countries/IT")?["id"]?.text == "IT")
        #expect(try client.send(.put, "/countries/IT", #"{"people":59}"#).status == 200)
        #expect(try client.cells("/countries/IT")?["id"]?.text == "IT")
        #expect(try client.cells("/countries/IT")?["name"] == .null)
        let other = try client.send(.patch, "/countries/IT", #"{"id":"FR","name":"F"}"#)
        #expect(other.status == 422)
        #expect(try other.faults() == ["/id other-id"])
        let made = try client.send(.post, "/numbers", #"{"name":"Eleven"}"#)
        #expect(try made.json()["row", "cells", "id"]?.integer == 11)
        let twice = try client.send(.post, "/numbers", #"{"id":9,"name":"x"}"#)
        #expect(twice.status == 409)
        #expect(try twice.faults() == ["/id existing-row"])
        let bulk = #"[{"id":9,"name":"neun"},{"id":21,"name":"a"}]"#
        #expect(try client.send(.post, "/numbers/-/rows?on_duplicate=replace", bulk).status == 200)
        #expect(try ids("/numbers?sort=id") == ["2", "9", "10", "11", "21"])
        #expect(try client.cells("/numbers/9")?["name"]?.text == "neun")
    }

    @Test("a form has one field for the id of a new row, and none for that of another")
    func forms() throws {
        let new = try client.get("/numbers/-/new", accept: "text/html").body
        #expect(new.ranges(of: #"name="id""#).count == 1)
        #expect(new.ranges(of: "<label for=").count == 2)
        let edit = try client.get("/numbers/9/-/edit", accept: "text/html").body
        #expect(!edit.contains(#"name="id""#))
        #expect(edit.contains(">Nine</textarea>") || edit.contains("\nNine</textarea>"))
        let fields = [
            (FieldName.contentType, "application/x-www-form-urlencoded"),
            (FieldName.accept, "text/html"),
        ]
        let form = "id=5&name=Five"
        #expect(try client.send(.post, "/numbers", form, fields: fields).status == 303)
        let tag = try #require(edit.firstMatch(of: /name="form__tag" value="([^"]+)"/)?.1)
        let change = "name=Neun&form__tag=\(tag)"
        #expect(try client.send(.post, "/numbers/9/-/edit", change, fields: fields).status == 303)
        #expect(try client.cells("/numbers/9")?["name"]?.text == "Neun")
        // Another writer's value is shown beside what was typed.
        #expect(try client.send(.patch, "/numbers/9", #"{"name":"nove"}"#).status == 200)
        let late = try client.send(.post, "/numbers/9/-/edit", change, fields: fields)
        #expect(late.status == 412)
        #expect(try ids("/numbers?sort=id") == ["2", "5", "9", "10"])
    }

    @Test("it is described once")
    func described() throws {
        let document = try client.get("/-/openapi.json").json()
        let conditions = document["components", "schemas", "countries.Conditions", "properties"]
        #expect(conditions?["id"] != nil && conditions?["id__startswith"] != nil)
        let get = document["paths", "/countries", "get", "parameters"]?.elements ?? []
        let references = get.compactMap { $0["$ref"]?.text }
        #expect(Set(references).count == references.count)
        let sort = document["components", "parameters", "countries.sort", "schema", "items"]
        let words = sort?["pattern"]?.text?.split(separator: /[()|]/) ?? []
        #expect(words.filter { $0 == "id" }.count == 1)
        let cells = document["components", "schemas", "countries.Cells", "properties"]
        #expect(cells?["id"] != nil)
        for (schema, isThere) in [("NewRow", true), ("WholeRow", false), ("Change", false)] {
            let members = document["components", "schemas", "countries.\(schema)", "properties"]
            #expect((members?["id"] != nil) == isThere)
        }
    }
}
