import TableFiles
import Testing

@testable import SQLite

@Suite("The encoding of a text that is not UTF-8")
struct EncodingGuessTests {
    @Test(
        "is the one in which its bytes are letters of one language",
        arguments: [
            ("1,Müller,Köln\n2,Weiß,Gießen\n", ["CP1252", "MACINTOSH", "CP850"]),
            ("1,André Lefèvre,Orléans\n2,Zoé,Besançon\n", ["CP1252", "MACINTOSH", "CP850"]),
            ("1,Muñoz,¿Qué tal?\n2,Íñigo,mañana\n", ["CP1252", "MACINTOSH", "CP850"]),
            ("1,Dvořák\n2,Černý\n3,Žižkov\n", ["CP1250"]),
            ("1,Łódź\n2,Żółw\n3,Gdańsk\n", ["CP1250", "ISO-8859-2"]),
            ("1,İstanbul\n2,Şişli\n3,Beyoğlu\n", ["CP1254"]),
            ("1,Москва,Россия\n2,Иван,Тверь\n", ["CP1251", "KOI8-R", "CP866"]),
            ("1,Αθήνα\n2,Θεσσαλονίκη\n", ["CP1253"]),
            ("1,ירושלים\n2,תל אביב\n", ["CP1255"]),
            ("1,田中太郎,東京都\n2,すずき,カタカナ\n", ["CP932", "EUC-JP"]),
            ("1,東京\n2,大阪\n3,名古屋\n4,横浜\n5,札幌\n", ["CP932", "EUC-JP"]),
            ("1,王小明,北京\n2,李华,上海\n3,张伟,广州市\n", ["GB18030"]),
            ("1,王小明,臺北\n2,李華,高雄\n", ["BIG5"]), ("1,김철수,서울\n2,이영희,부산\n", ["CP949"]),
            ("1,don’t\n2,“quoted” – dash\n3,10 €\n", ["CP1252"]),
            ("1,Temp (°C)\n2,20°C\n3,10µm\n", ["CP1252"]), ("1,à la carte\n2,É\n", ["CP1252"]),
            ("1,José\n", ["CP1252", "CP850"]), ("1,Łukasz\n", ["CP1250"]),
            ("1,Да\n", ["CP1251"]), ("1,Москва\n2,Тверь\n", ["ISO-8859-5"]),
            ("1,北京\n2,上海/广州\n3,深圳\n", ["GB18030"]),
            ("1,مرحبا\n2,القاهرة\n", ["CP1256"]), ("1,กรุงเทพ\n2,เชียงใหม่\n", ["TIS-620"]),
            ("1,20 °C\n2,5 µm\n3,½ × 3\n", ["CP1252"]),
        ] as [(String, [String])]
    )
    func language(text: String, names: [String]) throws {
        for name in names {
            let encoding = TextEncoding(named: name)
            try #require(encoding.isAvailable)
            let bytes = try #require(encoding.encoded(Array(text.utf8)), "\(name)")
            #expect(EncodingGuess(bytes).encoding == encoding, "\(name)")
        }
    }

    @Test("is UTF-8 if most characters are, and Windows-1252 if nothing is better")
    func rest() {
        let damaged = Array("1,Hélène\n2,Zoé\n3,caf".utf8) + [0xE9]
        #expect(EncodingGuess(damaged).encoding == .named("UTF-8"))
        #expect(EncodingGuess([0xE9]).encoding == .windows1252)
        #expect(EncodingGuess([]).encoding == .windows1252)
    }

    @Test("is UTF-16 without a mark if letters have zeros in one place")
    func units() {
        for encoding in [TextEncoding.utf16LittleEndian, .utf16BigEndian] {
            let bytes = encoding.encoded(Array("id,имя\n1,Иван\n2,Юлия\n".utf8)) ?? []
            #expect(TextEncoding(unitsOf: bytes.span) == encoding)
        }
        #expect(TextEncoding(unitsOf: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0].span) == .utf8)
        #expect(TextEncoding(unitsOf: Array("id,name\n".utf8).span) == .utf8)
    }
}
