import Listings
import Testing

@Suite("Columns that label rows")
struct LabelColumnTests {
    @Test(
        "rows are labelled by a name, the names of a person, a title, or the first texts",
        arguments: [
            (["code", "title", "name"], ["name"]),
            (["code", "Title", "firstName", "lastName"], ["firstName", "lastName"]),
            (["email", "LastName", "FirstName"], ["FirstName", "LastName"]),
            (["surname", "given_name"], ["given_name", "surname"]),
            (["first_name", "city"], ["first_name"]),
            (["title", "family"], ["family"]),
            (["name", "firstName", "lastName"], ["name"]),
            (["city", "Full_Name"], ["Full_Name"]),
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

    @Test("the most important texts label rows, and events have no label")
    func texts() throws {
        let columns = [Column("code", priority: 1), Column("part", priority: 1), Column("note")]
        #expect(try ListSchema(columns: columns).labelColumns == ["code", "part"])
        let event = [Column("id"), Column("time", type: .timestamp), Column("note")]
        #expect(try ListSchema(columns: event).labelColumns == [])
        let key = ListRelation(list: "a", column: "code", target: "b")
        let other = try ListSchema(columns: [Column("code"), Column("note")])
        #expect(other.presented(labels: nil, keys: [key]).labelColumns == ["note"])
        #expect(other.presented(labels: ["code"], keys: [key]).labelColumns == ["code"])
    }

    @Test("pages show labels first and ids last, unless the order was chosen")
    func order() throws {
        var schema = try ListSchema(
            columns: [Column("id"), Column("job"), Column("lastName"), Column("firstName")]
        )
        #expect(schema.displayOrder == [3, 2, 1, 0])
        #expect(
            schema.choosing([0, 2], as: [Column("id"), Column("name")]).displayOrder == [1, 0]
        )
        schema.isOrdered = true
        #expect(schema.displayOrder == [0, 1, 2, 3])
        let numbers = [Column("id"), Column("size", type: .integer)]
        #expect(try ListSchema(columns: numbers).displayOrder == [0, 1])
    }

    @Test(
        "a foreign key is headed like the row that it names",
        arguments: [
            (["artist_id"], ["Artist"]), (["ArtistId"], ["Artist"]),
            (["reportsTo"], ["Reports to"]),
            (["artist_id", "artist"], ["Artist id", "Artist"]),
        ]
    )
    func keys(ids: [String], labels: [String]) throws {
        let schema = try ListSchema(columns: ids.map { Column($0) })
        let key = ListRelation(list: "albums", column: ids[0], target: "artists")
        let named = schema.presented(labels: nil, keys: [key]).columns.map(\.label)
        #expect(named == labels)
        let own = try ListSchema(columns: [Column(ids[0], label: "By")])
        #expect(own.presented(labels: nil, keys: [key]).columns[0].label == "By")
    }
}
