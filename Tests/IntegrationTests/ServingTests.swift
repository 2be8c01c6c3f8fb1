import Foundation
import TestSupport
import Testing

@Suite("Files are served as lists")
struct ServingTests {
    private func files(_ people: People, in folder: TemporaryFolder) throws -> [String] {
        try [
            folder.write(people.csv, to: "people.csv"), folder.write(people.tsv, to: "people.tsv"),
            folder.write(people.json, to: "people.json"),
            folder.write(people.ndjson, to: "people.ndjson"),
        ]
    }

    @Test("a table is the same list from every kind of file")
    func sameList() throws {
        let folder = try TemporaryFolder()
        let people = People(300)
        let arguments = try files(people, in: folder).enumerated().map { "list\($0)=\($1)" }
        let server = try RosterProcess(serving: arguments + ["--group-by", "occupation"])
        for query in [
            "limit=500", "limit=500&sort=-visits,firstName&group=lastName:initial",
            "limit=100&group=none&sort=height:nullsfirst&page=2", "per_section=3&group=active",
            "section=Pilot&columns=email,joined",
        ] {
            let first = try server.page("/list0?\(query)")
            #expect(!first.ids.isEmpty)
            for number in 1...3 {
                var other = try server.page("/list\(number)?\(query)")
                other.links = first.links
                #expect(other.withKind("list0.row") == first, "\(query) of list\(number)")
            }
        }
        let columns = try server.page("/list0?limit=1").columns
        #expect(columns.map(\.id) == People.header)
        #expect(
            columns.map(\.type) == [
                "integer", "text", "text", "text", "email", "link", "date", "real", "boolean",
                "integer",
            ]
        )
        try server.stop()
    }

    @Test("sections have their rows and counts, and together all rows")
    func sections() throws {
        let folder = try TemporaryFolder()
        let people = People(500)
        let file = try folder.write(people.csv, to: "people.csv")
        let server = try RosterProcess(serving: [file, "--group-by", "occupation"])
        let expected = Dictionary(grouping: people.records) { $0[3] ?? "~" }
        let sections = try server.page("/people/-/sections").sections
        let order = ["Designer / Artist", "Engineer", "Pilot", "Writer", "~"]
        #expect(sections.map(\.id) == order)
        #expect(sections.map(\.header?.title) == order.dropLast() + ["No occupation"])
        for section in sections {
            let ids = expected[section.id]?.compactMap { $0[0] } ?? []
            #expect(section.count == ListPage.Count(value: ids.count, relation: "eq"))
            let address = "/people/-/sections/" + section.id.replacing(" / ", with: "%20%2F%20")
            let rows = try server.pages(from: "\(address)?limit=40").flatMap(\.ids)
            #expect(rows == ids.sorted { Int($0) ?? 0 < Int($1) ?? 0 }, "\(address)")
        }
    }

    @Test("users are users: by occupation, then by name, each met once forwards and backwards")
    func users() throws {
        let folder = try TemporaryFolder()
        let people = People(537)
        let server = try RosterProcess(serving: [
            "users=" + folder.write(people.json, to: "people.json")
        ])
        let pages = try server.pages(from: "/users?limit=25")
        let ids = pages.flatMap(\.ids)
        #expect(ids.count == 537)
        #expect(Set(ids) == Set(people.records.compactMap { $0[0] }))
        #expect(pages.dropLast().allSatisfy { $0.ids.count == 25 })
        #expect(pages.allSatisfy { $0.total == ListPage.Count(value: 537, relation: "eq") })
        let rows = pages.flatMap(\.sections).flatMap(\.rows)
        #expect(rows.allSatisfy { $0.kind == "user.row" })
        var backwards = pages.suffix(1)
        while let address = backwards.last?.links.prev {
            backwards.append(try server.page(address))
        }
        #expect(backwards.map(\.ids) == pages.map(\.ids).reversed())
        for query in [
            "limit=500", "limit=30&page=4&sort=-joined,lastName", "group=lastName:initial",
        ] {
            let page = try server.page("/users?\(query)")
            let table = try server.get(
                "/users.csv?limit=500&\(query.replacing("limit=500", with: ""))"
            )
            let lines = try server.get("/users.ndjson?\(query)")
            let html = try server.get("/users.html?\(query)")
            #expect(html.text.matches(of: /<tr id="r-([^"]*)"/).map { String($0.1) } == page.ids)
            if query.contains("page") {
                let found = lines.text.matches(of: /"id":([0-9]+)[,}]/)
                #expect(found.map { String($0.1) } == page.ids)
            } else {
                #expect(table.text.split(separator: "\r\n").count > page.ids.count)
            }
        }
        let letters = try server.page("/users/-/sections?group=lastName:initial&limit=100").sections
        #expect(letters.map(\.id) == ["A", "B", "D", "E", "S", "U", "東", "~"])
    }

    @Test("a list is named after its file, or as it is told to be")
    func names() throws {
        let folder = try TemporaryFolder()
        let table = "id,name\n1,a\n"
        let files = try [
            folder.write(table, to: "plain.csv"), folder.write(table, to: "two words.csv"),
            folder.write(table, to: "Zoë's.csv"), folder.write(table, to: "data.json.csv"),
            folder.write(table, to: "UPPER.CSV"),
        ]
        let server = try RosterProcess(
            serving: files + ["again=" + files[0], "--", folder.write(table, to: "a=b.csv")]
        )
        #expect(try server.waitForLine { $0.hasSuffix("/a=b") } != nil)
        let directory = try server.get("/.json").text
        for (name, path) in [
            ("plain", "/plain"), ("two words", "/two%20words"), ("Zoë's", "/Zo%C3%AB's"),
            ("data.json", "/data.json"), ("UPPER", "/UPPER"), ("again", "/again"), ("a=b", "/a=b"),
        ] {
            #expect(directory.contains("\"id\":\"\(name)\""), "\(name)")
            #expect(try server.page(path).ids == ["1"])
            #expect(server.lines.contains { $0.hasSuffix(path) }, "\(path)")
        }
        let run = try RosterProcess.run(["--port", "0", files[0], files[0]])
        #expect(run.ending == .exit(64))
        #expect(
            run.lines == [
                "roster: two lists are named 'plain'; name one by NAME=FILE or NAME=DATABASE#TABLE"
            ]
        )
    }

    @Test("a list called users that holds none is shown as records, and that is said")
    func plainUsers() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("id,name\n1,a\n", to: "users.csv")
        let server = try RosterProcess(serving: [file])
        #expect(
            server.lines.contains(
                "roster: users: no text columns firstName, lastName, occupation; "
                    + "shown as plain records"
            )
        )
        #expect(try server.page("/users").ids == ["1"])
    }

    @Test("columns that addresses have no room for get other names, and that is said")
    func renames() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("limit,a__b,x\n1,2,3\n", to: "odd.csv")
        let server = try RosterProcess(serving: [file])
        #expect(server.lines.contains("roster: odd: column 'limit' is listed as 'limit_'"))
        #expect(server.lines.contains("roster: odd: column 'a__b' is listed as 'a_b'"))
        #expect(try server.page("/odd?sort=limit_").columns.map(\.id) == ["limit_", "a_b", "x"])
    }

    @Test("rows and sections are found by ids of every kind")
    func opaqueIDs() throws {
        let folder = try TemporaryFolder()
        let names = [
            "a/b", "a.json", ".", "..", "50%", "Zoë", "東京", "a b", "~", "-", "\"q\"", "#?&",
        ]
        let records = names.map { name in
            let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
            return "\(quoted),\(quoted)\n"
        }
        let file = try folder.write("id,shelf\n" + records.joined(), to: "items.csv")
        let server = try RosterProcess(serving: [file, "--group-by", "shelf"])
        let text = try server.get("/items.json").text
        let links = text.matches(of: /"self":"(\/items\/[^"]*)"/).map { String($0.1) }
        #expect(links.count == 2 * names.count)
        var found: [String: Int] = [:]
        for link in links {
            let page = try server.get(link)
            #expect(page.status == 200, "\(link)")
            let id = try #require(page.text.firstMatch(of: /"row[s]?":\[?\{"id":"((\\.|[^"\\])*)"/))
            found[String(id.1).replacing("\\\"", with: "\""), default: 0] += 1
        }
        #expect(found == Dictionary(uniqueKeysWithValues: names.map { ($0, 2) }))
    }
}

extension ListPage {
    fileprivate func withKind(_ kind: String) -> ListPage {
        var page = self
        for section in sections.indices {
            for row in sections[section].rows.indices {
                page.sections[section].rows[row].kind = kind
            }
        }
        return page
    }
}
