import Database
import Listings
import Testing

@Suite("Ranges behind a position")
struct KeysetRangeTests {
    private static func term(
        _ expression: String,
        _ direction: SortKey.Direction = .ascending,
        nulls: SortKey.Nulls?,
        nativeNulls: SortKey.Nulls = .first
    ) -> OrderTerm {
        OrderTerm(Operand(expression), direction, nulls: nulls, nativeNulls: nativeNulls)
    }

    private let city = term("city", nulls: .last)
    private let age = term("age", .descending, nulls: .first)
    private let id = term("id", nulls: nil)

    /// The ranges as SQL, each `condition | order`.
    private func ranges(
        behind values: [CellValue],
        fixed: Int = 0,
        _ terms: [OrderTerm],
        comparesRows: Bool = false
    ) -> [String] {
        KeysetRange.following(values, fixed: fixed, in: terms, comparesRows: comparesRows)
            .map { range in
                condition(range, terms) + " | " + (range.order(in: terms) ?? "")
            }
    }

    private func condition(_ range: KeysetRange, _ terms: [OrderTerm]) -> String {
        range.condition(in: terms) { "?\($0)" } ?? ""
    }

    @Test("without a position an order without nulls is one range")
    func whole() {
        #expect(ranges(behind: [], [id]) == [" | id"])
    }

    @Test("nulls that stand where an index has them need no range of their own")
    func nativeNulls() {
        let first = Self.term("city", nulls: .first)
        #expect(ranges(behind: [], [first, id]) == [" | city, id"])
        let last = Self.term("city", .descending, nulls: .last)
        #expect(ranges(behind: [], [last, id]) == [" | city DESC, id"])
        let native = Self.term("city", nulls: .last, nativeNulls: .last)
        #expect(ranges(behind: [], [native, id]) == [" | city, id"])
        #expect(
            ranges(behind: [.text("Oslo"), .integer(1)], [native, id].map(\.reversed)) == [
                "city = ?1 AND id < ?2 | id DESC", "city < ?1 | city DESC, id DESC",
            ]
        )
    }

    @Test("a compared value is cast as its step asks for")
    func casts() {
        let age = OrderTerm(
            Operand("age", cast: "::bigint"),
            nulls: nil,
            nativeNulls: .last
        )
        #expect(
            ranges(behind: [.integer(3), .integer(9)], [age, id]) == [
                "age = ?1::bigint AND id > ?2 | id", "age > ?1::bigint | age, id",
            ]
        )
    }

    @Test("nulls elsewhere are a range of their own, before or behind the values")
    func nullsApart() {
        #expect(
            ranges(behind: [], [city, id]) == [
                "city IS NOT NULL | city, id", "city IS NULL | id",
            ]
        )
        #expect(
            ranges(behind: [], [age, city, id]) == [
                "age IS NULL | city NULLS LAST, id",
                "age IS NOT NULL | age DESC, city NULLS LAST, id",
            ]
        )
    }

    @Test("behind a position there is a range for every prefix of the key")
    func prefixes() {
        #expect(
            ranges(behind: [.text("Oslo"), .integer(3), .integer(9)], [city, age, id]) == [
                "city = ?1 AND age = ?2 AND id > ?3 | id",
                "city = ?1 AND age < ?2 | age DESC, id",
                "city > ?1 | city, age DESC NULLS FIRST, id",
                "city IS NULL | age DESC NULLS FIRST, id",
            ]
        )
    }

    @Test("ranges that nothing stands between are one where rows of values are compared")
    func rows() {
        let first = Self.term("city", nulls: .first)
        let team = Self.term("team", nulls: nil)
        let values: [CellValue] = [.text("Oslo"), .integer(3), .integer(9)]
        #expect(
            ranges(behind: values, [first, team, id], comparesRows: true) == [
                "(city, team, id) > (?1, ?2, ?3) | city, team, id"
            ]
        )
        #expect(
            ranges(behind: values, fixed: 1, [city, team, id], comparesRows: true) == [
                "city = ?1 AND (team, id) > (?2, ?3) | team, id"
            ]
        )
        // Rows without a value stand between.
        #expect(
            ranges(behind: values, [team, city, id], comparesRows: true) == [
                "team = ?1 AND (city, id) > (?2, ?3) | city, id", "team = ?1 AND city IS NULL | id",
                "team > ?1 | team, city NULLS LAST, id",
            ]
        )
        // One step grows the other way.
        #expect(
            ranges(behind: values, [team, age, id], comparesRows: true) == [
                "team = ?1 AND age = ?2 AND id > ?3 | id", "team = ?1 AND age < ?2 | age DESC, id",
                "team > ?1 | team, age DESC NULLS FIRST, id",
            ]
        )
        #expect(
            ranges(behind: values, [team, age, id].map(\.reversed), comparesRows: true).last
                == "team < ?1 | team DESC, age NULLS LAST, id DESC"
        )
        let found = KeysetRange.following(values, in: [first, team, id], comparesRows: true)
        #expect(found.map(\.boundTerms) == [[0, 1, 2]])
    }

    @Test("the row that stands at a position is in the first range that follows it")
    func beginning() {
        let team = Self.term("team", nulls: nil)
        let values: [CellValue] = [.text("Oslo"), .integer(3), .integer(9)]
        for (terms, first) in [
            ([city, age, id], "city = ?1 AND age = ?2 AND id >= ?3"),
            ([city, age.reversed, id.reversed], "city = ?1 AND age = ?2 AND id <= ?3"),
            ([city, team, id], "city = ?1 AND (team, id) >= (?2, ?3)"),
        ] {
            let following = KeysetRange.following(values, fixed: 1, in: terms, comparesRows: true)
            let found = KeysetRange.beginning(
                at: values,
                fixed: 1,
                in: terms,
                comparesRows: true
            )
            #expect(condition(found[0], terms) == first)
            #expect(found[0].boundTerms == following[0].boundTerms)
            #expect(found[0].openTerm == following[0].openTerm)
            #expect(found[0].order(in: terms) == following[0].order(in: terms))
            #expect(Array(found.dropFirst()) == Array(following.dropFirst()))
        }
    }

    @Test("behind a null stand the values, or nothing")
    func behindNull() {
        #expect(
            ranges(behind: [.null, .null, .integer(9)], [city, age, id]) == [
                "city IS NULL AND age IS NULL AND id > ?1 | id",
                "city IS NULL AND age IS NOT NULL | age DESC, id",
            ]
        )
    }

    @Test("backwards every step turns around, nulls as well")
    func backwards() {
        let terms = [city, age, id].map(\.reversed)
        #expect(
            ranges(behind: [.text("Oslo"), .integer(3), .integer(9)], terms) == [
                "city = ?1 AND age = ?2 AND id < ?3 | id DESC",
                "city = ?1 AND age > ?2 | age, id DESC",
                "city = ?1 AND age IS NULL | id DESC",
                "city < ?1 | city DESC, age NULLS LAST, id DESC",
            ]
        )
        #expect(
            ranges(behind: [.null, .integer(3), .integer(9)], terms).last
                == "city IS NOT NULL | city DESC, age NULLS LAST, id DESC"
        )
    }

    @Test("fixed values hold in every range")
    func fixed() {
        #expect(
            ranges(behind: [.text("Oslo")], fixed: 1, [city, age, id]) == [
                "city = ?1 AND age IS NULL | id", "city = ?1 AND age IS NOT NULL | age DESC, id",
            ]
        )
        #expect(
            ranges(behind: [.null, .integer(3), .integer(9)], fixed: 1, [city, age, id]) == [
                "city IS NULL AND age = ?1 AND id > ?2 | id",
                "city IS NULL AND age < ?1 | age DESC, id",
            ]
        )
    }

    @Test("a position of the first steps alone has none of its equals behind it")
    func shortPosition() {
        #expect(
            ranges(behind: [.text("Oslo")], [city, id]) == [
                "city > ?1 | city, id", "city IS NULL | id",
            ]
        )
        #expect(ranges(behind: [.null], [city, id]) == [])
    }

    @Test("a range knows what its rows share and where they begin to differ")
    func sharedValues() {
        let position: [CellValue] = [.text("Oslo"), .integer(3), .integer(9)]
        let found = KeysetRange.following(position, in: [city, age, id])
        #expect(found.map(\.openTerm) == [2, 1, 0, 1])
        #expect(
            found.map { $0.sharedValues(position) }
                == [[.text("Oslo"), .integer(3)], [.text("Oslo")], [], [.null]]
        )
        let whole = KeysetRange.following([.text("Oslo")], fixed: 1, in: [city, age, id])
        #expect(whole.map(\.openTerm) == [2, 1])
        #expect(
            whole.map { $0.sharedValues([.text("Oslo")]) }
                == [[.text("Oslo"), .null], [.text("Oslo")]]
        )
    }

    @Test("only compared steps have a value to bind")
    func boundTerms() {
        let found = KeysetRange.following([.null, .integer(3), .integer(9)], in: [city, age, id])
        #expect(found.map(\.boundTerms) == [[1, 2], [1]])
    }
}
