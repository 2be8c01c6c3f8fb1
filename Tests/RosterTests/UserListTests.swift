import ListAPITestSupport
import Listings
import MemoryLists
import RosterProgram
import Testing

@Suite("User lists")
struct UserListTests {
    let further = [Column("city"), Column("age", type: .integer)]

    func source(_ users: [User]) throws -> MemorySource<User> {
        var registry = ControllerRegistry()
        let controller = UserController(further: further)
        let registration = try registry.register(controller)
        return try MemorySource(
            models: users,
            using: registration,
            schema: try UserList.schema(for: controller, idType: .text),
            version: ListVersion(epoch: 1, counter: 1)
        )
    }

    @Test("users stand in sections by occupation, by last name inside, all their values kept")
    func rows() throws {
        let source = try source([
            User(
                id: "1",
                firstName: "Zoë",
                lastName: "Ng",
                occupation: "Writer",
                further: [.text("Bergen"), .integer(30)]
            ),
            User(id: "2", firstName: nil, lastName: "Ánh", occupation: "Writer"),
            User(id: "3", firstName: "Bo", lastName: nil, occupation: nil, further: [.null]),
            User(id: "4", firstName: "Al", lastName: "Ng", occupation: "Writer", revision: 7),
        ])
        let reader = try source.makeReader()
        var page = Page(list: "users", schema: source.schema)
        let query = ListQuery(
            grouping: source.schema.defaultGrouping,
            sort: source.schema.defaultSort,
            shape: .flow(limit: 50)
        )
        try reader.read(query, into: &page)
        #expect(page.sections.map(\.info.header) == ["Writer", "No occupation"])
        let ids = (0..<page.rowCount).map { page.id(ofRow: $0) }
        #expect(ids == ["2", "4", "1", "3"])
        let last = (0..<5).map { page.value(row: 2, column: $0) }
        #expect(
            last == [.text("Zoë"), .text("Ng"), .text("Writer"), .text("Bergen"), .integer(30)]
        )
        let missing = (0..<5).map { page.value(row: 3, column: $0) }
        #expect(missing == [.text("Bo"), .null, .null, .null, .null])
        #expect(page.revision(ofRow: 1) == 7)
        let failures = page.failures
        #expect(failures.isEmpty)
    }

    @Test("a further column with a reserved name is refused", arguments: ["limit", "lastName"])
    func columns(name: String) {
        let controller = UserController(further: [Column(name)])
        #expect(throws: ListingError.self) {
            try UserList.schema(for: controller, idType: .text)
        }
    }
}
