import Database
import JSON
import Listings

extension EngineType {
    /// Returns comparisons whose conjunction matches the values that meet a condition.
    ///
    /// There are none if no value can match.
    func comparisons(_ operation: Filter.Operator, _ operand: CellValue) -> [Comparison] {
        guard holds(operand) else { return [] }
        switch self {
        case .int2, .int4, .int8, .oid: return Self.wholeNumbers(operation, operand)
        case .float4, .float8: return Self.doubles(operation, operand)
        case .date, .timestamp, .timestamptz:
            if let span = TimeSpan(operand) { return times(operation, span) }
        default: break
        }
        return [Comparison(operation.sign, operand)]
    }

    /// Returns whether the server can parse an operand as a value of the type.
    private func holds(_ operand: CellValue) -> Bool {
        switch (self, operand) {
        case (.json, .json(let text)), (.jsonb, .json(let text)), (.array, .json(let text)):
            JSONText.compact("[\(text)]") != nil && !text.contains("\\u0000")
        // A number with more digits than a cell holds is shown as a text.
        case (.numeric, .text(let text)):
            text.utf8.count > ExactDecimal.maximumBytes
                && text.utf8.allSatisfy { "-.0123456789".utf8.contains($0) }
        case (.date, .text), (.timestamp, .text), (.timestamptz, .text): true
        default: operand.kind == columnType(isWhole: false).kind
        }
    }

    /// Compares 64-bit integers with any number.
    private static func wholeNumbers(
        _ operation: Filter.Operator,
        _ operand: CellValue
    ) -> [Comparison] {
        if case .integer = operand { return [Comparison(operation.sign, operand)] }
        let isBelow = RowOrder.compare(operand, .integer(.min)) < 0
        guard !isBelow, RowOrder.compare(operand, .integer(.max)) <= 0 else {
            // Every integer is on the same side of a number beyond the 64-bit range.
            let isMet = isBelow == (operation == .greater || operation == .atLeast)
            guard operation.sign != "=", isMet else { return [] }
            return [Comparison(">=", .integer(.min))]
        }
        guard let floor = Int64(floorOf: operand) else { return [] }
        let isWhole = RowOrder.compare(operand, .integer(floor)) == 0
        return switch operation {
        case .less: [Comparison(isWhole ? "<" : "<=", .integer(floor))]
        case .atMost: [Comparison("<=", .integer(floor))]
        case .greater: [Comparison(">", .integer(floor))]
        case .atLeast: [Comparison(isWhole ? ">=" : ">", .integer(floor))]
        default: isWhole ? [Comparison("=", .integer(floor))] : []
        }
    }

    /// Compares doubles with numbers that may exceed their range.
    private static func doubles(
        _ operation: Filter.Operator,
        _ operand: CellValue
    ) -> [Comparison] {
        guard case .decimal(let decimal) = operand else {
            return [Comparison(operation.sign, operand)]
        }
        let double = decimal.nearestDouble
        guard double.isInfinite else { return [Comparison(operation.sign, .real(double))] }
        return switch operation {
        case .less, .atMost: [Comparison(double < 0 ? "<=" : "<", .real(double))]
        case .greater, .atLeast: [Comparison(double < 0 ? ">" : ">=", .real(double))]
        default: []
        }
    }

    private func times(_ operation: Filter.Operator, _ span: TimeSpan) -> [Comparison] {
        let start = StoredTime(span.start, isDay: self == .date)
        if let instant = span.end {
            // A year or a month ends with the calendar at the latest.
            let isLast =
                span.start.seconds < StoredTime.calendarEnd
                && instant.seconds > StoredTime.calendarEnd
            let end = isLast ? StoredTime.lastEnd : StoredTime(instant, isDay: self == .date)
            return switch operation {
            case .less: [Comparison("<", start.value)]
            case .atMost: [Comparison("<", end.value)]
            case .greater: [Comparison(">=", end.value)]
            case .atLeast: [Comparison(">=", start.value)]
            default: [Comparison(">=", start.value), Comparison("<", end.value)]
            }
        }
        if start.isExact { return [Comparison(operation.sign, start.value)] }
        // The column stores no value between the instant and the next storable one.
        return switch operation {
        case .less, .atMost: [Comparison("<", start.value)]
        case .greater, .atLeast: [Comparison(">=", start.value)]
        default: []
        }
    }
}

extension Int64 {
    /// The greatest integer that is not above a number in the 64-bit range.
    ///
    /// Nil if the value is not a number.
    fileprivate init?(floorOf number: CellValue) {
        switch number {
        case .integer(let integer): self = integer
        case .real(let real):
            guard real.isFinite else { return nil }
            self.init(real.rounded(.down))
        case .decimal(let decimal):
            let whole = decimal.canonicalText.prefix { $0 != "." }
            guard let integer = Int64(whole) else { return nil }
            let isAbove = RowOrder.compare(number, .integer(integer)) < 0
            self = isAbove ? integer - 1 : integer
        default: return nil
        }
    }
}
