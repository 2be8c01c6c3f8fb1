import Listings
import Testing

@testable import Rendering

@Suite("Texts in the languages of pages")
struct TextTests {
    @Test(
        "a number selects the form of its language",
        arguments: [
            (0, "0 rows", "0 Zeilen", "0 שורות"),
            (1, "1 row", "1 Zeile", "שורה אחת"),
            (2, "2 rows", "2 Zeilen", "שתי שורות"),
            (3, "3 rows", "3 Zeilen", "3 שורות"),
            (1002, "1,002 rows", "1.002 Zeilen", "1,002 שורות"),
        ]
    )
    func plurals(count: Int, english: String, german: String, hebrew: String) {
        let texts = PageLanguage.allCases.map { $0.texts.rows(Count(count)) }
        #expect(texts == [english, german, hebrew])
    }

    @Test("sizes of cells have the same forms", arguments: PageLanguage.allCases)
    func sizes(language: PageLanguage) {
        let column = Column("photo", label: "Photo", type: .bytes)
        for count in 0...3 {
            let value = CellValue.bytes(ByteValue(count: count))
            let text = language.texts.label(of: value, column)
            #expect(HTMLValueFormat.of(language).bytes(count) == text)
        }
    }

    @Test("names are not translated, texts inside texts are")
    func arguments() {
        let german = PageLanguage.german.texts
        let name = "Lists"
        #expect(german("\(name)") == "Lists")
        #expect(german("Sort \(name)") == "Sort Lists")
        #expect(german("Search \(noun: "Search")") == "Search durchsuchen")
        #expect(german("Search: \("100% of \\(x)")") == "Suche: 100% of \\(x)")
        let inner: Text = "Lists"
        #expect(german("More in \(inner)") == "Mehr aus Listen")
        #expect(Text("More in \(inner)").description == "More in Lists")
        #expect(Text("Search \(noun: "Old Books")").description == "Search old books")
    }

    @Test("parts that make a sentence are translated as a whole")
    func parts() {
        let end: Text = ", then \("Name")"
        let text = "\("Age")" + end
        #expect(PageLanguage.german.texts(text) == "Age, dann Name")
        #expect(text.description == "Age, then Name")
    }

    @Test("a text without a translation is known as such, a name is none")
    func missing() {
        let german = PageLanguage.german.texts
        #expect(german.translation(of: "This is nowhere.") == nil)
        #expect(german.translation(of: Text("Sort")) == "Sortieren")
        #expect(german.translation(of: "\("Sort")") == "Sort")
        let english = PageLanguage.english.texts
        #expect(english.translation(of: "This is nowhere.") == "This is nowhere.")
    }
}
