import Listings
import Testing

@Suite("The columns of a table of rows")
struct RowFieldTests {
    private let columns = [
        Column("id").named(inFiles: "ID"), Column("section_").named(inFiles: "section"),
        Column("name", isGroupable: true),
    ]

    @Test("a list has its own columns under the names of its source")
    func own() throws {
        let query = ListQuery(shape: .flow(limit: 4))
        #expect(try names(query) == ["ID", "section", "name"])
        #expect(try names(query, of: [Column("name")]) == ["name"])
    }

    @Test("a grouped list has its section first, and its own column of that name by its id")
    func grouped() throws {
        let query = ListQuery(grouping: Grouping(column: 2), shape: .flow(limit: 4))
        #expect(try names(query) == ["section", "ID", "section_", "name"])
    }

    @Test("an id and a section stand where they are named")
    func named() throws {
        var query = ListQuery(columns: [0], shape: .flow(limit: 4))
        query.fields = [.column(0), .section, .id]
        #expect(try names(query, of: [Column("name")]) == ["name", "section", "id"])
        query.grouping = Grouping(column: 0)
        #expect(try names(query, of: [Column("name")]) == ["name", "section", "id"])
    }

    private func names(_ query: ListQuery, of columns: [Column]? = nil) throws -> [String] {
        let schema = try ListSchema(columns: columns ?? self.columns)
        return schema.names(of: schema.fields(of: query))
    }
}
