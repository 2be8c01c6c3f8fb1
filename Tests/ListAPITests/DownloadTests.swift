import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import MemoryLists
import Rendering
import RosterProgram
import TestSupport
import Testing

@Suite("Downloads of lists")
struct DownloadTests {
    private static let xlsx =
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    private static let tables = [
        "people.csv": "ID,Full Name,section,n\na,Ann,x,1\nb,=1+1,y,2\nc,רות,x,\n",
        "plain.csv": "name,bom\na,1\nb,2\n",
        "été \"1\".csv": "a\n1\n",
    ]
    private let folder: ScratchFolder
    private let lists: [ListDefinition]
    private let client: Client

    init() throws {
        let folder = try ScratchFolder()
        self.folder = folder
        var configuration = Configuration()
        for (name, text) in Self.tables.sorted(by: { $0.key < $1.key }) {
            try folder.write(Array(text.utf8), to: name)
            configuration.sources.append(try SourceArgument("\(folder.path)/\(name)"))
        }
        lists = try ListRegistry(configuration).lists
        client = try Client(lists)
    }

    @Test(
        "CSV has the columns of the file under their names",
        arguments: [
            ("people.csv?id=a", "ID,Full Name,section,n\r\na,Ann,x,1\r\n"),
            ("people.csv?id=a&columns=n,id", "n,ID\r\n1,a\r\n"),
            ("people.csv?id=a&columns=n,section", "n,section\r\n1,all\r\n"),
            (
                "people.csv?id=a&group=section_",
                "section,ID,Full Name,section_,n\r\nx,a,Ann,x,1\r\n"
            ),
            ("people.csv?id=a&group=section_&columns=n", "section,n\r\nx,1\r\n"),
            ("people.csv?id=a&group=section_&columns=n,section", "n,section\r\n1,x\r\n"),
            ("people/-/sections/all.csv?id=a&columns=n", "n\r\n1\r\n"),
            ("plain.csv?id=1", "name,bom\r\na,1\r\n"),
            ("plain.csv?id=1&columns=id,name", "id,name\r\n1,a\r\n"),
            ("plain.csv?bom=2", "name,bom\r\nb,2\r\n"),
        ]
    )
    func columns(target: String, expected: String) throws {
        for limit in ["", "&limit=5"] {
            #expect(try client.get("/\(target)\(limit)").body == expected)
        }
    }

    @Test(
        "a query with a path has the columns of the list, and no further one",
        arguments: [
            "sort=meta.k", "meta.k=1", "group=due:year&columns=id,meta,due", "facets=due:year",
        ]
    )
    func paths(query: String) throws {
        let lists = try Shop.sqlite.lists(
            in: folder,
            of: """
                CREATE TABLE jobs (id integer PRIMARY KEY, meta text, due timestamp);
                INSERT INTO jobs VALUES (1, '{"k":1}', '2024-01-02T03:04:05Z');
                """
        )
        let client = try Client(lists)
        for limit in ["", "&limit=2"] {
            let table = try client.get("/jobs.csv?\(query)\(limit)").csvRecords()
            #expect(table.first?.suffix(3) == ["id", "meta", "due"])
            #expect(table.last?.last?.isEmpty == false)
            #expect(Set(table.map(\.count)) == [query.hasPrefix("group") ? 4 : 3])
            let book = try ReadWorkbook(client.get("/jobs.xlsx?\(query)\(limit)").bytes)
            let rows = book.sheets[0].rows
            #expect(rows[0].suffix(3) == [.text("id"), .text("meta"), .text("due")])
            #expect(rows[1].count == rows[0].count)
        }
    }

    @Test("a workbook keeps the zeros before a number")
    func zeros() throws {
        try folder.write(Array("id,code\n1,01\n2,1\n3,-007.5\n4,0\n5,0.5\n".utf8), to: "z.csv")
        var configuration = Configuration()
        configuration.sources = [try SourceArgument(folder.path + "/z.csv")]
        let client = try Client(try ListRegistry(configuration).lists)
        let sheet = try ReadWorkbook(client.get("/z.xlsx").bytes).sheets[0]
        let codes = sheet.rows.dropFirst().map { $0[1] }
        #expect(codes == ["01", "1", "-007.5", "0", "0.5"].map { .text($0) })
    }

    @Test("NDJSON that is downloaded and served again has the columns of before")
    func ndjson() throws {
        let before = try client.get("/plain.ndjson").body
        #expect(before.hasPrefix("{\"id\":\"1\",\"name\":\"a\",\"bom\":1}\n"))
        try folder.write(Array(before.utf8), to: "again.ndjson")
        var configuration = Configuration()
        configuration.sources = [try SourceArgument(folder.path + "/again.ndjson")]
        let again = try Client(try ListRegistry(configuration).lists)
        let columns = try again.get("/again/-/schema").json()["columns"]?.elements ?? []
        #expect(columns.map { $0["id"]?.text } == ["name", "bom"])
        let grouped = try client.get("/people.ndjson?group=section_&id=a").body
        #expect(grouped.contains("\"section\":\"x\""))
    }

    @Test("a file with the names of the list is imported into it")
    func imported() throws {
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        var configuration = Configuration()
        configuration.sources = [try SourceArgument("\(folder.path)/people.csv")]
        configuration.allowsAnonymousWrites = true
        configuration.database = ":memory:"
        let client = try Client(try ListRegistry(configuration).lists, options: options)
        let before = try client.get("/people.csv").body
        for id in ["a", "b", "c"] {
            #expect(try client.ask(.delete, "/people/\(id)").status == 204)
        }
        let location = try client.ask(
            .post,
            "/people/-/import",
            fields: [(.contentType, "text/csv")],
            body: before
        )
        let address = try #require(location.field("Location"))
        while try !["done", "failed"].contains(client.get(address).json()["state"]?.text) {}
        #expect(try client.get(address).json()["state"]?.text == "done")
        #expect(try client.get("/people.csv").body == before)
    }

    @Test("downloads are named after the list, pages are not", arguments: Way.allCases)
    func names(way: Way) throws {
        let client = try Client(lists, way)
        for format in ["csv", "ndjson", "xlsx"] {
            let name = "people.\(format)"
            let expected = "attachment; filename=\"\(name)\"; filename*=UTF-8''\(name)"
            for target in ["/\(name)", "/\(name)?limit=1", "/people/-/sections/all.\(format)"] {
                let answer = try client.get(target)
                #expect(answer.field("Content-Disposition") == expected, "\(target)")
                let head = try client.ask(.head, target)
                #expect(head.field("Content-Disposition") == expected, "\(target)")
            }
        }
        for target in ["/people.json", "/people.html", "/people.csv?limit=0"] {
            #expect(try client.get(target).field("Content-Disposition") == nil)
        }
        let special = try client.get("/%C3%A9t%C3%A9%20%221%22.csv").field("Content-Disposition")
        #expect(
            special == "attachment; filename=\"_t___1_.csv\"; "
                + "filename*=UTF-8''%C3%A9t%C3%A9%20%221%22.csv"
        )
    }

    @Test("CSV begins with a byte order mark if that is asked for")
    func byteOrderMark() throws {
        let plain = try client.get("/people.csv").bytes
        let marked = try client.get("/people.csv?bom=1")
        #expect(marked.bytes == [0xEF, 0xBB, 0xBF] + plain)
        #expect(marked.field("Link")?.contains("</people.csv?bom=1>; rel=\"self\"") == true)
        #expect(marked.field("Link")?.contains("</people.json>; rel=\"alternate\"") == true)
        let first = try client.get("/people.csv?bom=1&limit=1")
        #expect(first.field("Link")?.contains("</people.csv?bom=1&limit=1&after=") == true)
        #expect(try client.get("/people?bom=1", accept: "text/csv").status == 200)
    }

    @Test(
        "a byte order mark of other formats is refused",
        arguments: ["people.json", "people.html", "people.ndjson", "people.xlsx"]
    )
    func noByteOrderMark(target: String) throws {
        let answer = try client.get("/\(target)?bom=1", accept: "application/json")
        #expect(answer.status == 400)
        #expect(answer.body.contains("'bom' is for CSV only.") || target.hasSuffix("html"))
        #expect(try client.get("/people.csv?bom=0").body.contains("No option '0'; allowed: 1."))
    }

    @Test("a large workbook comes in pieces with all rows", arguments: Way.allCases)
    func large(way: Way) throws {
        let client = try Client([try ListDefinition.items(.numbered(1_345, shelves: 7))], way)
        let answer = try client.get("/items.xlsx?group=none&sort=id&columns=id")
        let rows = try ReadWorkbook(answer.bytes).sheets[0].rows
        let ids = try client.get("/items.csv?group=none&sort=id&columns=id").csvRecords()
        #expect(ids.count == 1_346)
        #expect(rows.map { [$0.first ?? nil] } == ids.map { [.text($0[0])] })
        #expect(way == .throughServer || answer.pieces > 5)
    }
}
