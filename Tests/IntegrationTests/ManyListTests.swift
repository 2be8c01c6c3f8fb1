import Foundation
import TestSupport
import Testing

@Suite("Lists of few rows have no indexes until they have more")
struct ManyListTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ count: Int) throws -> String {
        // All numbers have four digits.
        let rows = (1001...1000 + count).map {
            "\($0 - 1000),Name x\(2001 + count - $0),Ärger y\($0)\n"
        }
        return try folder.write("id,name,note\n" + rows.joined(), to: "people.csv")
    }

    @Test("all orders and searches are the same before and after a file grows and shrinks")
    func sizes() throws {
        let file = try write(20)
        let server = try RosterProcess(serving: [file])
        for count in [20, 2000, 30] {
            if count != 20 {
                _ = try write(count)
                let line = try server.waitForLine {
                    $0.hasSuffix("people: imported \(count) rows from \(file)")
                }
                #expect(line != nil, "\(server.lines)")
            }
            #expect(try server.page("/people?limit=1&sort=-id").ids == ["\(count)"])
            let first = try server.page("/people?sort=name&limit=2").ids
            #expect(first == ["\(count)", "\(count - 1)"])
            #expect(try server.page("/people?q=arger+y1017").ids == ["17"])
            #expect(try server.page("/people?name__contains=me+x1003").ids == ["\(count - 2)"])
        }
        try server.stop()
    }

    @Test("a list that clients extend has indexes from 64 rows on", arguments: [true, false])
    func extended(isImport: Bool) throws {
        let file = try write(20)
        let database = folder.path("lists.db")
        let arguments = [file, "--database", database]
        let server = try RosterProcess(serving: arguments + ["--allow-anonymous-writes"])
        func indexes() throws -> Int? {
            let sql =
                "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'people'"
            let (output, _) = try OutsideProgram.sqlite(database, sql)
            return Int(output.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        #expect(try indexes() == 0)
        for (first, isMany) in [(21, false), (64, true)] {
            let rows = (first..<first + 43).map { "\($0),New \($0),Ärger z\($0)\n" }
            let client = try server.connect()
            let body = "id,name,note\n" + rows.joined()
            if isImport {
                try client.send(
                    "POST /people/-/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                let location = try #require(
                    try client.receiveResponse(to: "POST").field("Location")
                )
                var state = ""
                repeat {
                    state = try server.get(location).text
                    try #require(!state.contains("\"failed\""))
                } while !state.contains("\"done\"")
            } else {
                for row in rows {
                    let parts = row.dropLast().split(separator: ",")
                    let json =
                        "{\"id\":\(parts[0]),\"name\":\"\(parts[1])\",\"note\":\"\(parts[2])\"}"
                    try client.send(
                        "POST /people HTTP/1.1\r\nHost: localhost\r\n"
                            + "Content-Type: application/json\r\n"
                            + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)"
                    )
                    #expect(try client.receiveResponse(to: "POST").status == 201)
                }
            }
            #expect((try indexes() ?? 0 > 0) == isMany)
            #expect(try server.page("/people?limit=1&sort=-id").ids == ["\(first + 42)"])
            #expect(try server.page("/people?sort=name&limit=1&q=arger").ids == ["20"])
            #expect(try server.page("/people?q=z\(first + 42)").ids == ["\(first + 42)"])
        }
        try server.stop()
        let again = try RosterProcess(serving: arguments)
        #expect(try again.page("/people?q=z106").ids == ["106"])
        try again.stop()
    }

    @Test("a folder of many files is served by few connections")
    func folderOfFiles() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("data"),
            withIntermediateDirectories: false
        )
        for number in 100..<200 {
            try folder.write("id,name\n1,Ada \(number)\n", to: "data/list\(number).csv")
        }
        let server = try RosterProcess(serving: [folder.path("data")])
        for number in [100, 150, 199, 100] {
            let page = try server.get("/list\(number).csv").text
            #expect(page == "id,name\r\n1,Ada \(number)\r\n")
        }
        #expect(try server.get("/.html?q=150").text.contains("Ada <mark>150</mark>"))
        try server.stop()
    }
}
