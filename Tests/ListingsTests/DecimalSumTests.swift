import Listings
import TestSupport
import Testing

@Suite("Sums of numbers")
struct DecimalSumTests {
    private func tally(_ texts: [String]) -> ColumnTally {
        var tally = ColumnTally()
        for text in texts {
            let decimal = ExactDecimal(text).map(CellValue.decimal)
            tally.add(Int64(text).map(CellValue.integer) ?? decimal ?? .text(text))
        }
        return tally
    }

    @Test(
        "sums are exact, and averages have 15 digits",
        arguments: [
            (["0.1", "0.2"], "0.3", "0.15"), (["1", "2", "4"], "7", "2.33333333333333"),
            (["-0.5", "0.5"], "0", "0"),
            (["9223372036854775807", "1"], "9223372036854775808", "4611686018427387904"),
            (["99999999999999999999.99", "0.01"], "100000000000000000000", "50000000000000000000"),
            (["1", "-3"], "-2", "-1"),
            (["0.000000000000000000001", "5"], "5.000000000000000000001", "2.5"),
            (["2", "text", ""], "2", "2"), (["1", "1", "0"], "2", "0.666666666666667"),
            (["999999999999999999", "0"], "999999999999999999", "500000000000000000"),
        ]
    )
    func sums(texts: [String], sum: String, average: String) {
        let tally = tally(texts)
        #expect(tally.value(of: .sum).plainText == sum)
        #expect(tally.value(of: .average).plainText == average)
    }

    @Test("doubles count as their shortest decimals, infinities as themselves")
    func doubles() {
        var tally = ColumnTally()
        tally.add(.real(0.1), count: 3)
        tally.add(.real(1e-7))
        #expect(tally.value(of: .sum).plainText == "0.3000001")
        tally.add(.real(.infinity))
        #expect(tally.value(of: .sum) == .real(.infinity))
    }

    @Test("nothing has no sum and no extremes, and extremes are values of any type")
    func extremes() {
        var tally = ColumnTally()
        for function in Aggregate.Function.allCases where function != .filled {
            #expect(tally.value(of: function).isNull)
        }
        #expect(tally.value(of: .filled) == .integer(0))
        tally.add(.null)
        tally.add(.text("b"))
        tally.add(.text("A"))
        #expect(tally.value(of: .filled) == .integer(2))
        #expect(tally.value(of: .minimum) == .text("A") && tally.value(of: .maximum) == .text("b"))
        #expect(tally.value(of: .sum).isNull)
    }

    @Test("random sums are those of integers")
    func random() {
        for seed in UInt64(1)...20 {
            var random = SeededGenerator(seed: seed)
            var tally = ColumnTally()
            var sum = Int64(0)
            for _ in 0..<50 {
                let cents = Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
                let count = Int.random(in: 1...9, using: &random)
                let (whole, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
                let text = (cents < 0 ? "-" : "") + "\(whole).\(rest < 10 ? "0" : "")\(rest)"
                tally.add(ExactDecimal(text).map(CellValue.decimal) ?? .null, count: count)
                sum += cents * Int64(count)
            }
            var hundredfold = ColumnTally()
            hundredfold.add(tally.value(of: .sum), count: 100)
            #expect(hundredfold.value(of: .sum) == .integer(sum), "seed \(seed)")
        }
    }
}
