import Bytes
import HTTP
import TestSupport
import Testing

@Suite("Dates (RFC 9110 §5.6.7)")
struct HTTPDateTests {
    private static func text(_ seconds: Int64) -> String? {
        guard let date = HTTPDate(secondsSince1970: seconds) else { return nil }
        var buffer = ByteBuffer()
        date.write(into: &buffer)
        return buffer.text()
    }

    private static func seconds(_ text: String, now: Int64 = 1_700_000_000) -> Int64? {
        guard let now = HTTPDate(secondsSince1970: now) else { return nil }
        return HTTPDate(parsing: text, now: now)?.secondsSince1970
    }

    static let dates: [(Int64, String)] = [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
        (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ]

    @Test("a date is written in the fixed form and read back", arguments: dates)
    func fixed(seconds: Int64, text: String) {
        #expect(Self.text(seconds) == text)
        #expect(Self.seconds(text) == seconds)
    }

    @Test(
        "a year four digits cannot show is no date",
        arguments: [Int64.min, -62_135_596_801, 253_402_300_800, Int64.max]
    )
    func outOfRange(seconds: Int64) {
        #expect(HTTPDate(secondsSince1970: seconds) == nil)
    }

    static let obsolete: [(String, Int64)] = [
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Thu Nov 16 08:49:37 2023", 1_700_124_577),
        // 50 years ahead of 2023 and no more.
        ("Sunday, 01-Jan-73 00:00:00 GMT", 3_250_454_400),
        ("Tuesday, 01-Jan-74 00:00:00 GMT", 126_230_400),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ]

    @Test("the obsolete forms and leap seconds are read", arguments: obsolete)
    func obsoleteForms(text: String, seconds: Int64) {
        #expect(Self.seconds(text) == seconds)
    }

    @Test(
        "anything else is no date",
        arguments: [
            "", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT",
            "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
            " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994  08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT",
            "1994-11-06T08:49:37Z",
        ]
    )
    func malformed(text: String) {
        #expect(Self.seconds(text) == nil)
    }

    @Test("every date written is read back", arguments: 0..<10)
    func roundTrip(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<200 {
            let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator)
            let text = try #require(Self.text(seconds))
            #expect(Self.seconds(text) == seconds, "\(text)")
        }
    }
}
