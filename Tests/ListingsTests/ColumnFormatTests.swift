import Listings
import Testing

@Suite("Column formats")
struct ColumnFormatTests {
    @Test(
        "a format is read from its text and written as it",
        arguments: [
            "currency:EUR", "unit:km", "unit:m²", "duration", "duration:ms", "duration:min",
            "duration:h", "bytes", "percent", "relative", "badge", "color", "image", "avatar",
            "link", "email", "phone", "long-text", "json",
        ]
    )
    func text(text: String) throws {
        #expect(try #require(ColumnFormat(text)).text == text)
    }

    @Test("seconds are the unit of a duration without one")
    func seconds() {
        #expect(ColumnFormat("duration:s") == .duration(.seconds))
        #expect(ColumnFormat("duration:s")?.text == "duration")
    }

    @Test(
        "a text that names no format is refused",
        arguments: [
            "", "money", "currency", "currency:", "currency:euro", "currency:eur", "unit",
            "unit:", "unit: km", "unit:\u{7}", "unit:seventeen letters", "duration:d",
            "duration:", "bytes:", "percent:1", "Bytes", " bytes",
        ]
    )
    func refused(text: String) {
        #expect(ColumnFormat(text) == nil)
    }

    @Test("a format suits the columns whose values it can show, and every mixed one")
    func types() {
        func suits(_ format: ColumnFormat, _ type: ColumnType, isMixed: Bool = false) -> Bool {
            format.suits(Column("column", type: type, isMixed: isMixed))
        }
        #expect(suits(.currency("EUR"), .integer))
        #expect(suits(.currency("EUR"), .real))
        #expect(!suits(.currency("EUR"), .text))
        #expect(suits(.currency("EUR"), .text, isMixed: true))
        #expect(suits(.relative, .timestamp))
        #expect(!suits(.relative, .integer))
        #expect(suits(.phone, .integer))
        #expect(!suits(.image, .bytes))
        #expect(!suits(.json, .boolean))
    }
}
