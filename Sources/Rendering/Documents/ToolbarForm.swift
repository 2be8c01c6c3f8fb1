package import Listings

/// The fields of the forms that narrow, sort and arrange a list.
///
/// The forms send them to ``PageLink/narrowingForm``, which makes the parameters of the list of them.
/// No column has such a name.
package enum ToolbarForm {
    /// The column of a condition; the operator and the operands follow it.
    package static let column = "form__column"
    /// The comparison of a condition, a ``Comparison``.
    package static let comparison = "form__is"
    /// The operand of a condition.
    package static let value = "form__value"
    /// The upper bound of ``Comparison/between``.
    package static let bound = "form__to"
    /// A column of the order, possibly empty; the direction follows it.
    package static let sort = "form__sort"
    /// The direction of a column, in the spelling around its name, such as `-` and `-:nullsfirst`.
    package static let direction = "form__direction"
    /// A column that is shown, in their order.
    package static let show = "form__show"
    /// The column that is moved one place forward.
    package static let forward = "form__forward"

    /// The comparisons that a form of conditions offers.
    package enum Comparison: Hashable, Sendable, CaseIterable {
        /// The comparison of a parameter.
        case by(Filter.Operator)
        /// From a value to another one.
        case between
        /// Whether there is a value.
        case isEmpty(Bool)
        /// The value of a column of yes and no.
        case isTrue(Bool)

        /// The comparisons in the order of the form.
        package static let allCases: [Comparison] =
            [.contains, .equal, .notEqual, .atLeast, .atMost, .greater, .less].map(Self.by)
            + [.between] + [.among, .notAmong, .startsWith, .endsWith].map(Self.by)
            + [.isTrue(true), .isTrue(false), .isEmpty(true), .isEmpty(false)]

        package var name: String {
            switch self {
            case .by(let operation): operation.rawValue
            case .between: "between"
            case .isEmpty(let isEmpty): isEmpty ? "empty" : "filled"
            case .isTrue(let isTrue): "\(isTrue)"
            }
        }

        /// The comparison that a filter makes, or nil if no form makes it.
        package init?(of filter: Filter) {
            switch (filter.operation, filter.operands.first) {
            case (.isNull, let operand?): self = .isEmpty(operand == .boolean(true))
            case (.equal, .boolean(let isTrue)?): self = .isTrue(isTrue)
            case (.identical, _): return nil
            case (let operation, _): self = .by(operation)
            }
        }

        /// Whether it is offered for the values of a type.
        package func isOffered(
            for type: ColumnType,
            _ operators: [Filter.Operator]
        ) -> Bool {
            switch self {
            case .isTrue: type == .boolean && operators.contains(.equal)
            case .isEmpty: operators.contains(.isNull)
            case .between:
                Self.by(.atLeast).isOffered(for: type, operators) && operators.contains(.atMost)
            case .by(let operation):
                type != .boolean && operators.contains(operation) && operation.isAllowed(for: type)
            }
        }

        /// Returns the parameters of the list for a column: the suffixes of its name and the values.
        ///
        /// A missing operand makes no parameter.
        package func parameters(
            _ value: String,
            to bound: String
        ) -> [(suffix: String, value: String)] {
            let parameters: [(Filter.Operator, String)] =
                switch self {
                case .by(let operation): [(operation, value)]
                case .between: [(.atLeast, value), (.atMost, bound)]
                case .isEmpty(let isEmpty): [(.isNull, "\(isEmpty)")]
                case .isTrue(let isTrue): [(.equal, "\(isTrue)")]
                }
            return parameters.compactMap { operation, value in
                value.isEmpty ? nil : ("__\(operation.rawValue)", value)
            }
        }
    }
}
