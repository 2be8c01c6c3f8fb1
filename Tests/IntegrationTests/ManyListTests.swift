import Foundation
import TestSupport
import Testing

@Suite("Lists of few rows that only imports write have no indexes")
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
        #expect(try server.get("/.html?q=150").text.contains("Ada 150"))
        try server.stop()
    }
}
