import Database
import Listings
import Testing

@Suite("Names")
struct NamesTests {
    @Test("a quoted name holds anything but NUL")
    func quoted() {
        #expect(SQLName.quoted("plain") == "\"plain\"")
        #expect(SQLName.quoted("a\"; DROP TABLE x; --") == "\"a\"\"; DROP TABLE x; --\"")
        #expect(SQLName.quoted("\"\"") == "\"\"\"\"\"\"")
        #expect(SQLName.quoted("") == "\"\"")
        #expect(SQLName.quoted("a\0b") == nil)
    }

    @Test(
        "ids of several values come back as their values",
        arguments: [
            ([.integer(1), .text("a")], "1,a"),
            ([.text("a,b"), .text("50%")], "a%2Cb,50%25"),
            ([.text(""), .text("")], ","),
            ([.text("%2C"), .integer(-7)], "%252C,-7"),
        ] as [([CellValue], String)]
    )
    func compositeIDs(parts: [CellValue], text: String) {
        #expect(CompositeID.text(of: parts) == text)
        let types = parts.map { part in
            if case .integer = part { ColumnType.integer } else { ColumnType.text }
        }
        #expect(CompositeID.parts(of: text, types: types) == parts)
    }

    @Test(
        "what is no id of two values is none",
        arguments: ["", "a", "a,b,c", "a%,b", "a%2,b", "a%20,b", "%2c,b"]
    )
    func strangeIDs(text: String) {
        #expect(CompositeID.parts(of: text, types: [.text, .text]) == nil)
    }
}
