package import Listings

/// One piece of an order that an index holds in one piece.
///
/// What follows a position is not one piece but several: the rows that are equal to it in all steps
/// but the last, then those equal in all but the last two, and so on; and where nulls stand apart,
/// they are a piece of their own. Read one after another the pieces give the order, each by one
/// look-up in an index. One condition joined by OR instead makes SQLite read the whole index.
package struct KeysetRange: Hashable, Sendable {
    /// What is asked of one step of the order.
    package enum Bound: Hashable, Sendable {
        /// To have the position's value, which is not null.
        case equal
        /// To have no value.
        case isNull
        /// To have some value.
        case isNotNull
        /// To have a value that stands behind the position's value.
        case behind
        /// To have the position's value, or one that stands behind it.
        case atOrBehind
    }

    /// What is asked of the first steps; nothing is asked of the others.
    package let bounds: [Bound]
    /// How many steps are compared with the position as one: more than the last of the bounds where
    /// the engine looks up an index for rows of values.
    private let comparedSteps: Int

    /// Creates a range.
    package init(_ bounds: [Bound]) { self.init(bounds, comparedSteps: 1) }

    private init(_ bounds: [Bound], comparedSteps: Int) {
        self.bounds = bounds
        self.comparedSteps = comparedSteps
    }

    /// The ranges that follow a position, in the order to read them.
    ///
    /// - Parameters:
    ///   - values: The position: a value for each of the first terms. Where there are fewer values
    ///     than terms, the ranges begin behind all rows that have them.
    ///   - fixed: How many of the values all rows must have; where it is all of them, the ranges
    ///     hold every such row.
    ///   - terms: The order; its last term has no nulls and tells all rows apart.
    ///   - comparesRows: Whether ranges that follow one another may be one, of rows that stand behind
    ///     the position in several steps compared as one: see ``Dialect/comparesRows``.
    /// - Returns: The ranges; none when nothing can follow.
    package static func following(
        _ values: [CellValue],
        fixed: Int = 0,
        in terms: [OrderTerm],
        comparesRows: Bool = false
    ) -> [KeysetRange] {
        precondition(
            fixed <= values.count && values.count <= terms.count,
            "\(fixed) of \(values.count) values for \(terms.count) terms"
        )
        let prefix = values.map { $0.isNull ? Bound.isNull : .equal }
        if values.count == fixed { return whole(behind: prefix, in: terms) }
        var ranges: [KeysetRange] = []
        for index in (fixed..<values.count).reversed() {
            for bound in steps(behind: values[index], terms[index]) {
                let range = KeysetRange(prefix[..<index] + [bound])
                if comparesRows, let joined = ranges.last?.joined(to: range, in: terms) {
                    ranges[ranges.count - 1] = joined
                } else {
                    ranges.append(range)
                }
            }
        }
        return ranges
    }

    /// The ranges of the row that stands at a position and of those that follow it.
    ///
    /// - Parameters:
    ///   - values: The position: a value for each of the terms.
    ///   - fixed: See ``following(_:fixed:in:comparesRows:)``; fewer than all of them.
    ///   - terms: The order.
    ///   - comparesRows: See ``following(_:fixed:in:comparesRows:)``.
    /// - Returns: As many ranges as follow the position.
    package static func beginning(
        at values: [CellValue],
        fixed: Int = 0,
        in terms: [OrderTerm],
        comparesRows: Bool = false
    ) -> [KeysetRange] {
        precondition(values.count == terms.count && fixed < values.count, "no row's position")
        var ranges = following(values, fixed: fixed, in: terms, comparesRows: comparesRows)
        // The first one is of the rows that differ in the last step, or in the last few.
        let first = ranges[0]
        ranges[0] = KeysetRange(
            first.bounds.dropLast() + [.atOrBehind],
            comparedSteps: first.comparedSteps
        )
        return ranges
    }

    /// This range and the one that follows it as one; nil where something stands between them, or
    /// where their steps grow different ways.
    private func joined(to range: KeysetRange, in terms: [OrderTerm]) -> KeysetRange? {
        let step = range.bounds.count - 1
        guard bounds.last == .behind, range.bounds.last == .behind, step == bounds.count - 2,
            terms[step].direction == terms[step + 1].direction
        else { return nil }
        return KeysetRange(range.bounds, comparedSteps: comparedSteps + 1)
    }

    private static func whole(behind prefix: [Bound], in terms: [OrderTerm]) -> [KeysetRange] {
        guard prefix.count < terms.count, !terms[prefix.count].isNative else {
            return [KeysetRange(prefix)]
        }
        let bounds: [Bound] =
            terms[prefix.count].nulls == .first ? [.isNull, .isNotNull] : [.isNotNull, .isNull]
        return bounds.map { KeysetRange(prefix + [$0]) }
    }

    private static func steps(behind value: CellValue, _ term: OrderTerm) -> [Bound] {
        guard value.isNull else { return term.nulls == .last ? [.behind, .isNull] : [.behind] }
        return term.nulls == .first ? [.isNotNull] : []
    }
}

extension KeysetRange {
    /// The first step in which rows of the range may differ.
    package var openTerm: Int {
        switch bounds.last {
        case .behind, .atOrBehind, .isNotNull: bounds.count - 1
        case .equal, .isNull, nil: bounds.count
        }
    }

    /// The values that all rows of the range have in the steps before the open one.
    ///
    /// - Parameter position: The position the range belongs to.
    /// - Returns: The position's values, and null where the range asks for none.
    package func sharedValues(_ position: [CellValue]) -> [CellValue] {
        bounds[..<openTerm].enumerated().map { index, bound in
            bound == .isNull ? .null : position[index]
        }
    }

    /// The steps whose value has to be bound, in the order of their places.
    package var boundTerms: [Int] {
        (0..<bounds.count + comparedSteps - 1).filter { step in
            guard step < bounds.count else { return true }
            return switch bounds[step] {
            case .equal, .behind, .atOrBehind: true
            case .isNull, .isNotNull: false
            }
        }
    }

    /// The condition that the rows of the range meet.
    ///
    /// - Parameters:
    ///   - terms: The order.
    ///   - place: Spells the bound value of a number; they are counted from 1 without gaps.
    /// - Returns: The condition, or nil when nothing is asked.
    package func condition(in terms: [OrderTerm], place: (Int) -> String) -> String? {
        guard !bounds.isEmpty else { return nil }
        var number = 0
        func next(_ term: OrderTerm) -> String {
            number += 1
            return term.comparand.parameter(place(number))
        }
        func behind(_ end: String) -> String {
            let steps = terms[(bounds.count - 1)...].prefix(comparedSteps)
            let sign = (steps.first?.direction == .ascending ? ">" : "<") + end
            let (left, right) = (steps.map(\.expression), steps.map(next))
            guard comparedSteps > 1 else { return "\(left[0]) \(sign) \(right[0])" }
            return "(\(left.joined(separator: ", "))) \(sign) (\(right.joined(separator: ", ")))"
        }
        let conditions = zip(terms, bounds).map { term, bound in
            switch bound {
            case .equal: "\(term.expression) = \(next(term))"
            case .isNull: "\(term.expression) IS NULL"
            case .isNotNull:
                term.comparand.least.map { "\(term.expression) >= \($0)" }
                    ?? "\(term.expression) IS NOT NULL"
            case .behind: behind("")
            case .atOrBehind: behind("=")
            }
        }
        return conditions.joined(separator: " AND ")
    }

    /// What the rows of the range still have to be ordered by; nil when nothing is left.
    ///
    /// - Parameters:
    ///   - terms: The order.
    ///   - constant: What is asked of steps that need not be named, as all rows are equal in them.
    /// - Returns: What follows ORDER BY.
    package func order(
        in terms: [OrderTerm],
        omitting constant: Set<Bound> = [.equal, .isNull]
    ) -> String? {
        var steps: [String] = []
        for (index, term) in terms.enumerated() {
            guard index < bounds.count else {
                steps.append(term.order(withNulls: true))
                continue
            }
            guard !constant.contains(bounds[index]) else { continue }
            steps.append(term.order(withNulls: false))
        }
        return steps.isEmpty ? nil : steps.joined(separator: ", ")
    }
}
