import Listings
import Testing

@testable import Postgres

@Suite("Texts that types of PostgreSQL read")
struct PostgresEngineTypeTests {
    @Test(
        "a moment is a day, or what lists show of one",
        arguments: [
            ("2024-02-29", true), ("2024-02-29T12:00", true), ("2024-02-29 23:59:59", true),
            ("2024-02-29T12:00:00Z", true), ("2024-02-29T12:00:00.123456Z", true),
            ("infinity", true), ("-infinity", true), ("", false), ("2023-02-29", false),
            ("0044-03-15 12:00:00+00 BC", true), ("10000-02-29T00:00:00Z", true),
            ("10001-02-29T00:00:00Z", false), ("1000000-01-01", false), (" BC", false),
            ("2024-02-29Z", false), ("2024-02-29x12:00", false), ("2024-02-29T", false),
            ("2024-02-29T12", false), ("2024-02-29T24:00", false), ("2024-02-29T12:60", false),
            ("2024-02-29T1:00", false), ("2024-02-29T12:00.5", false),
            ("2024-02-29T12:00:00.", false), ("2024-02-29T12:00:00.1234567", false),
            ("2024-02-29T12:00:00.1.2", false), ("2024-02-29T12:00:00+02", false), ("now", false),
        ]
    )
    func moments(text: String, isMoment: Bool) {
        #expect(EngineType("timestamptz").accepts(text) == isMoment)
        #expect(EngineType("timestamp").accepts(text) == isMoment)
    }

    @Test(
        "no other text reaches the server as a UUID or a day",
        arguments: [
            ("uuid", "2F1E4fc0-81fd-4421-8a0b-4cb2b9b1a0c5", true),
            ("uuid", "2F1E4fc0-81fd-4421-8a0b-4cb2b9b1a0c", false),
            ("uuid", "2F1E4fc0-81fd-4421-8a0b04cb2b9b1a0c5", false),
            ("uuid", "{F1E4fc0-81fd-4421-8a0b-4cb2b9b1a0c5", false), ("date", "2024-02-29", true),
            ("date", "today", false), ("text", "today", true), ("text", "a\0b", false),
        ]
    )
    func others(type: String, text: String, isAccepted: Bool) {
        #expect(EngineType(type).accepts(text) == isAccepted)
    }

    @Test(
        "a value is identical with a day or a month only where its type has days",
        arguments: [
            ("timestamptz", "2024-02-29", 0, 2), ("timestamp", "2024-02", 0, 2),
            ("timestamptz", "2024-02-29T12:00:00Z", 1, 1), ("date", "2024-02-29", 2, 2),
            ("date", "2024-02", 0, 2), ("date", "2024-02-29T00:00:00Z", 0, 1),
        ]
    )
    func periods(type: String, text: String, identical: Int, equal: Int) throws {
        let operand = try #require(Column("at", type: .timestamp).operand(for: text))
        let type = EngineType(type)
        #expect(type.comparisons(.identical, operand).count == identical)
        #expect(type.comparisons(.equal, operand).count == equal)
    }
}
