import Bytes
import Testing

@Suite("The Gregorian calendar")
struct CivilDateTests {
    @Test("every day of 800 years follows the one before")
    func calendar() {
        var expected = CivilDate(year: 1600, month: 1, day: 1)
        let first = expected.daysSince1970
        for offset in 0..<Int64(2 * 146_097) {
            let date = CivilDate(daysSince1970: first + offset)
            guard date == expected, date.exists, date.daysSince1970 == first + offset else {
                Issue.record("\(date) is not \(expected)")
                return
            }
            let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            expected.day += 1
            if expected.day > lengths[expected.month - 1] {
                expected.day = 1
                expected.month += 1
            }
            if expected.month > 12 {
                expected.month = 1
                expected.year += 1
            }
        }
    }

    @Test(
        "a day that no month has does not exist",
        arguments: [
            (2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1),
            (2024, 1, 0), (2024, 1, 32), (0, 1, 1), (10_000, 1, 1),
        ]
    )
    func missingDays(year: Int, month: Int, day: Int) {
        #expect(!CivilDate(year: year, month: month, day: day).exists)
    }
}
