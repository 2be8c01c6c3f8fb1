import Listings
import Testing

@Suite("Columns that label rows")
struct LabelColumnTests {
    @Test(
        "rows are labelled by a name, a title, two names of a person, or the first texts",
        arguments: [
            (["code", "title", "name"], ["name"]),
            (["code", "Title", "firstName", "lastName"], ["Title"]),
            (["email", "LastName", "FirstName"], ["FirstName", "LastName"]),
            (["surname", "given_name"], ["given_name", "surname"]),
            (["first_name", "city"], ["first_name"]),
            (["id", "city"], ["city"]),
            (["id"], []),
        ]
    )
    func labels(ids: [String], labels: [String]) throws {
        let schema = try ListSchema(columns: ids.map { Column($0) })
        #expect(schema.labelColumns == labels)
    }

    @Test("numbers label no rows")
    func numbers() throws {
        let columns = [Column("name", type: .integer), Column("town")]
        #expect(try ListSchema(columns: columns).labelColumns == ["town"])
    }
}
