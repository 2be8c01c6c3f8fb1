package import Listings

/// A part of an order that is contiguous in an index.
///
/// The rows after a position form several ranges. The first holds the rows equal to it in all steps
/// but the last. The next holds those equal in all but the last two, and so on. Nulls that sort
/// separately are a range of their own. Read in sequence, the ranges give the order with one index
/// look-up each. A single condition joined by OR would make SQLite read the whole index.
package struct KeysetRange: Hashable, Sendable {
    package enum Bound: Hashable, Sendable {
        case equal
        case isNull
        case isNotNull
        case behind
        case atOrBehind
    }

    package let bounds: [Bound]
    /// It is more than one only if the engine supports index look-ups for row values.
    private let comparedSteps: Int
    private var block: String?

    package init(_ bounds: [Bound]) { self.init(bounds, comparedSteps: 1) }

    private init(_ bounds: [Bound], comparedSteps: Int) {
        self.bounds = bounds
        self.comparedSteps = comparedSteps
    }

    /// Ranges in the order to read them.
    ///
    /// If there are fewer values than terms, the ranges begin after all rows with these values. The
    /// first `fixed` values are those that all rows must have. If all values are fixed, the ranges
    /// hold every such row. The last term has no nulls and identifies rows. None if nothing can
    /// follow. See ``Dialect/comparesRows``.
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

    /// The first `fixed` values, less than all, are those that all rows must have.
    ///
    /// There are as many ranges as after the position.
    package static func beginning(
        at values: [CellValue],
        fixed: Int = 0,
        in terms: [OrderTerm],
        comparesRows: Bool = false
    ) -> [KeysetRange] {
        precondition(values.count == terms.count && fixed < values.count, "no row's position")
        var ranges = following(values, fixed: fixed, in: terms, comparesRows: comparesRows)
        // The first range holds the rows that differ in the last step or steps.
        let first = ranges[0]
        ranges[0] = KeysetRange(
            first.bounds.dropLast() + [.atOrBehind],
            comparedSteps: first.comparedSteps
        )
        return ranges
    }

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
    package var openTerm: Int {
        switch bounds.last {
        case .behind, .atOrBehind, .isNotNull: bounds.count - 1
        case .equal, .isNull, nil: bounds.count
        }
    }

    func within(_ block: String?) -> KeysetRange {
        var range = self
        range.block = block
        return range
    }

    func following(_ position: [CellValue], in terms: [OrderTerm]) -> [KeysetRange] {
        let term = openTerm
        let ranges =
            bounds.count > term
            ? [KeysetRange(bounds.dropLast() + [.behind])]
            : Self.following(Array(position.prefix(term + 1)), fixed: term, in: terms)
        return ranges.map { $0.within(block) }
    }

    package func sharedValues(_ position: [CellValue]) -> [CellValue] {
        bounds[..<openTerm].enumerated().map { index, bound in
            bound == .isNull ? .null : position[index]
        }
    }

    package var boundTerms: [Int] {
        (0..<bounds.count + comparedSteps - 1).filter { step in
            guard step < bounds.count else { return true }
            return switch bounds[step] {
            case .equal, .behind, .atOrBehind: true
            case .isNull, .isNotNull: false
            }
        }
    }

    /// `placeholder` returns the SQL of a placeholder by its number, from 1 without gaps.
    package func condition(in terms: [OrderTerm], placeholder: (Int) -> String) -> String? {
        guard !bounds.isEmpty else { return nil }
        var number = 0
        func next(_ term: OrderTerm) -> String {
            number += 1
            return term.comparand.parameter(placeholder(number))
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
            case .isNull: term.absence ?? "\(term.expression) IS NULL"
            case .isNotNull:
                term.comparand.least.map { "\(term.expression) >= \($0)" }
                    ?? "\(term.expression) IS NOT NULL"
            case .behind: behind("")
            case .atOrBehind: behind("=")
            }
        }
        return (conditions + [block].compactMap { $0 }).joined(separator: " AND ")
    }

    /// Steps with a bound of `constant` are omitted, because all rows are equal in them.
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
            let bound = bounds[index]
            if constant.contains(bound) || bound == .isNull && term.absence != nil { continue }
            steps.append(term.order(withNulls: false))
        }
        return steps.isEmpty ? nil : steps.joined(separator: ", ")
    }
}
