import Testing

@testable import Listings

@Suite("Rows are counted in ranges of round bounds")
struct HistogramTests {
    private func lines(_ values: [CellValue]) -> [String] {
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        return Histogram(counts).bars.map { bar in
            "\(bar.start.plainText)–\(bar.end.plainText) \(bar.count)"
        }
    }

    private func dates(_ texts: String...) -> [CellValue] {
        texts.compactMap { CalendarDate($0) }.map { .date($0) }
    }

    @Test("numbers")
    func numbers() {
        #expect(lines([.integer(1), .integer(1), .integer(3)]) == ["1–2 2", "2–3 0", "3–4 1"])
        #expect(lines([.real(0.1), .real(0.25), .real(0.3)]).first == "0.1–0.12 1")
        #expect(lines([.integer(-7), .integer(95)]).first == "-10–0 1")
        #expect(lines([.integer(-7), .integer(95)]).last == "90–100 1")
        #expect(lines([.real(1e300), .real(-1e300)]).count <= 22)
    }

    @Test("a value is in the bar whose bounds contain it, not beside it")
    func bounds() {
        let bars = lines([.real(1.1), .real(1.7), .real(2.3)])
        #expect(bars.first == "1.1–1.2 1")
        #expect(bars.last == "2.3–2.4 1")
        let exact = ["2.2999999999999999999", "1.1", "2.3"].compactMap { ExactDecimal($0) }
        #expect(lines(exact.map(CellValue.decimal)).suffix(2) == ["2.2–2.3 1", "2.3–2.4 1"])
        let large = [9_007_199_254_740_993, 9_007_199_254_740_993 + 11].map(CellValue.integer)
        #expect(lines(large).filter { $0.hasSuffix(" 1") }.count == 2)
    }

    @Test("a time beyond the calendar is in the last bar")
    func endOfCalendar() throws {
        let times = ["9990-01-01T00:00:00Z", "9999-12-31T23:59:59-05"].compactMap { Timestamp($0) }
        let bars = lines(times.map(CellValue.timestamp))
        #expect(bars.first?.hasPrefix("9990-01-01–") == true)
        #expect(bars.last?.hasSuffix("– 1") == true)
    }

    @Test("equal values, texts and infinities make no bars")
    func none() {
        #expect(lines([.integer(4), .integer(4)]).isEmpty)
        #expect(lines([.text("a"), .text("b"), .null]).isEmpty)
        #expect(lines([.real(.infinity), .integer(1), .real(.nan)]).isEmpty)
        #expect(lines([.real(-1.7e308), .real(1.7e308)]).isEmpty)
        #expect(lines([.real(1e-300), .real(2e-300)]).isEmpty)
    }

    @Test("dates begin at days, Mondays, months and years")
    func dates() {
        #expect(
            lines(dates("2024-02-28", "2024-03-01")) == [
                "2024-02-28–2024-02-29 1", "2024-02-29–2024-03-01 0", "2024-03-01–2024-03-02 1",
            ]
        )
        #expect(lines(dates("2024-01-03", "2024-02-20")).first == "2024-01-01–2024-01-08 1")
        #expect(lines(dates("1969-12-30", "1970-01-20")).first == "1969-12-29–1970-01-05 1")
        #expect(lines(dates("2024-01-20", "2024-12-20")).first == "2024-01-01–2024-02-01 1")
        #expect(
            lines(dates("1995-05-05", "2024-12-20")).first == "1995-01-01–1997-01-01 1"
                || lines(dates("1995-05-05", "2024-12-20")).first == "1994-01-01–1996-01-01 1"
        )
        #expect(lines(dates("0001-01-01", "9999-12-31")).count < 30)
    }

    @Test("every value is in one bar, for random numbers")
    func random() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let scales: [Double] = [1e-9, 0.01, 1, 1e4, 1e12]
            let scale = scales[Int.random(in: 0..<scales.count, using: &generator)]
            let values: [Double] = (0..<20).map { _ in
                Double.random(in: -scale...scale, using: &generator)
            }
            var counts: [CellValue: Int] = [:]
            for value in values { counts[.real(value), default: 0] += 1 }
            let bars = Histogram(counts).bars
            let total = bars.reduce(0) { $0 + $1.count }
            #expect(total == 20, "\(values)")
            #expect((5...22).contains(bars.count), "\(values)")
            for bar in bars {
                let start = Double(bar.start.plainText) ?? .nan
                let end = Double(bar.end.plainText) ?? .nan
                let inside = values.count { $0 >= start && $0 < end }
                #expect(inside == bar.count, "\(start)–\(end) of \(values)")
            }
        }
    }
}
