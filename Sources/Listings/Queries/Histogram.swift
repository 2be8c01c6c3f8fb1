/// The numbers of rows whose values are in ranges of equal width.
///
/// The ranges begin at round numbers, or at the beginning of days, weeks, months or years.
public struct Histogram: Hashable, Sendable {
    /// A range of values and the number of its rows.
    public struct Bar: Hashable, Sendable {
        /// The first value of the range.
        public let start: CellValue
        /// The first value after the range.
        public let end: CellValue
        /// The number of rows.
        public let count: Int
    }

    /// The bars in ascending order, without a gap between them.
    public let bars: [Bar]

    /// The number of bars that the width of a range aims at.
    private static let usualBars = 12

    /// Counts the numbers, or else the times, among values with the numbers of their rows.
    package init(_ values: [CellValue: Int]) {
        var numbers: [(value: Double, count: Int, exact: CellValue)] = []
        var days: [(value: Int, count: Int)] = []
        for (value, count) in values {
            switch value {
            case .integer(let number): numbers.append((Double(number), count, value))
            case .real(let number) where number.isFinite: numbers.append((number, count, value))
            case .decimal(let number) where number.nearestDouble.isFinite:
                numbers.append((number.nearestDouble, count, value))
            case .date, .timestamp: days.append((value.dayNumber, count))
            default: break
            }
        }
        bars = numbers.isEmpty ? Self.bars(ofDays: days) : Self.bars(of: numbers)
    }

    private static func bars(
        of numbers: [(value: Double, count: Int, exact: CellValue)]
    ) -> [Bar] {
        guard let least = numbers.map(\.value).min(), let greatest = numbers.map(\.value).max(),
            greatest - least > 1e-290, (greatest - least).isFinite
        else { return [] }
        let isWhole = numbers.allSatisfy { $0.value == $0.value.rounded(.down) }
        // The width is 1, 2 or 5 times a power of ten.
        let needed = (greatest - least) / Double(usualBars)
        var (factor, power) = (1.0, 1.0)
        while power * 10 <= needed { power *= 10 }
        while power > needed { power /= 10 }
        for step in [1.0, 2, 5, 10] where step * power >= needed {
            factor = step
            break
        }
        if isWhole, factor * power < 1 { (factor, power) = (1, 1) }
        // A division by a power of ten has the digits of a decimal number; a product may not.
        let inverse = power < 1 ? (1 / power).rounded() : 1
        func bound(_ position: Double) -> CellValue {
            let value = power < 1 ? position * factor / inverse : position * factor * power
            let isExact = value.magnitude < 0x1p53 && value == value.rounded()
            return isExact ? .integer(Int64(value)) : .real(value)
        }
        func position(_ value: Double) -> Double {
            (power < 1 ? value * inverse / factor : value / (factor * power)).rounded(.down)
        }
        // The division is rounded, so that a value may belong to the range beside.
        func position(_ number: (value: Double, count: Int, exact: CellValue)) -> Double {
            let position = position(number.value)
            if RowOrder.compare(number.exact, bound(position)) < 0 { return position - 1 }
            return RowOrder.compare(number.exact, bound(position + 1)) < 0 ? position : position + 1
        }
        let first = position(least) - 1
        guard (position(greatest) - first).magnitude < 100 else { return [] }
        let positions = numbers.map { (index: position($0) - first, count: $0.count) }
        let lowest = positions.map(\.index).min() ?? 0
        return bars(positions.map { (Int($0.index - lowest), $0.count) }) { index in
            bound(first + lowest + Double(index))
        }
    }

    private static func bars(ofDays days: [(value: Int, count: Int)]) -> [Bar] {
        guard let least = days.map(\.value).min(), let greatest = days.map(\.value).max(),
            least < greatest
        else { return [] }
        let span = greatest - least
        if span < usualBars * 10 {
            // A week begins on a Monday, as the fourth day after 1970-01-01 is one.
            let (width, start) = span < usualBars + 4 ? (1, 0) : (7, 4)
            let first = (least - start).divided(by: width)
            return bars(days.map { (($0.value - start).divided(by: width) - first, $0.count) }) {
                date(ofDay: (first + $0) * width + start)
            }
        }
        let widths = [1, 3, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000]
        let width = widths.first { span / 30 < $0 * (usualBars + 4) } ?? 12_000
        let first = month(ofDay: least).divided(by: width)
        return bars(days.map { (month(ofDay: $0.value).divided(by: width) - first, $0.count) }) {
            date(ofMonth: (first + $0) * width)
        }
    }

    /// Adds up the rows of each place, and adds the bars between them.
    private static func bars(
        _ positions: [(index: Int, count: Int)],
        _ bound: (Int) -> CellValue
    ) -> [Bar] {
        var counts: [Int: Int] = [:]
        for (index, count) in positions { counts[index, default: 0] += count }
        return (0...(counts.keys.max() ?? 0)).map { index in
            Bar(start: bound(index), end: bound(index + 1), count: counts[index] ?? 0)
        }
    }

    private static func date(ofDay day: Int) -> CellValue {
        CalendarDate(dayNumber: Int64(day)).map { .date($0) } ?? .null
    }

    private static func month(ofDay day: Int) -> Int {
        CalendarDate(dayNumber: Int64(day)).map { $0.year * 12 + $0.month - 1 } ?? 0
    }

    private static func date(ofMonth month: Int) -> CellValue {
        // The year 0 is before the first date.
        let year = max(1, month / 12)
        return CalendarDate(year: year, month: month % 12 + 1, day: 1).map { .date($0) } ?? .null
    }
}

extension CellValue {
    /// Since 1970-01-01; 0 for other values than dates and timestamps.
    fileprivate var dayNumber: Int {
        switch self {
        case .date(let date): Int(date.dayNumber)
        // An offset can move a time out of the calendar by a day.
        case .timestamp(let time):
            min(max(Int(time.seconds).divided(by: 86_400), -719_162), 2_932_896)
        default: 0
        }
    }
}

extension Int {
    fileprivate func divided(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
