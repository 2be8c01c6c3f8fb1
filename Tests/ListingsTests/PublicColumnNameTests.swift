import Listings
import Testing

@Suite("Ids of columns")
struct PublicColumnNameTests {
    @Test(
        "ids of columns follow one rule",
        arguments: [
            (["firstName", "First name"], ["firstName", "First name"]),
            (["id", "ID", "group", "Sort"], ["id_", "ID_2", "group_", "Sort_"]),
            (["a__b", "____", "_x"], ["a_b", "_", "_x"]),
            (["-a", "a,b", "a:b", "a\nb"], ["_a", "a_b", "a_b_2", "a_b_3"]),
            (["city", "City", "CITY"], ["city", "City_2", "CITY_3"]),
            (["city", "city_2", "City"], ["city", "city_2", "City_3"]),
            (["", ""], ["column", "column_2"]),
            (["roster_revision"], ["roster_revision_"]),
        ]
    )
    func ids(names: [String], ids: [String]) throws {
        #expect(PublicColumnName.ids(for: names) == ids)
        // What the rule makes, a schema takes.
        _ = try ListSchema(columns: ids.map { Column($0) })
    }

    @Test("the column that gives the ids of the rows is called id, and no other one")
    func key() throws {
        #expect(PublicColumnName.ids(for: ["a", "ID", "id"], key: 1) == ["a", "id", "id_"])
        #expect(PublicColumnName.ids(for: ["id", "Id"], key: 0) == ["id", "Id_"])
    }

    @Test("any names give ids that a schema takes and SQL tells apart")
    func anyNames() throws {
        var state: UInt64 = 7
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let pieces = ["a", "A", "_", "__", "-", ",", ":", "id", "page", "2", "\"", "é", "\u{1}"]
        for _ in 0..<300 {
            let names = (0..<random(12)).map { _ in
                (0..<random(4)).map { _ in pieces[random(pieces.count)] }.joined()
            }
            let ids = PublicColumnName.ids(for: names)
            #expect(ids.count == names.count)
            #expect(Set(ids.map { $0.lowercased() }).count == ids.count, "\(names) \(ids)")
            #expect(ids.allSatisfy { !$0.isEmpty && !$0.hasPrefix("-") }, "\(names) \(ids)")
            _ = try ListSchema(columns: ids.map { Column($0) })
        }
    }
}
