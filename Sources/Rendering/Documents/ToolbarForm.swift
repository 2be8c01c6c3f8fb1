package import Listings

/// The fields of the forms that narrow, sort and arrange a list.
///
/// The forms send them to ``PageLink/narrowingForm``, which makes the parameters of the list of them.
/// No column has such a name.
package enum ToolbarForm {
    /// The word that joins the conditions of a form: ``FilterGroup/Joint/any``,
    /// ``FilterGroup/Joint/notAll``, or nothing for conditions that all hold.
    package static let joint = "form__joint"
    package static let column = "form__column"
    package static let comparison = "form__is"
    package static let value = "form__value"
    /// The upper bound of ``Comparison/between``.
    package static let bound = "form__to"
    package static let sort = "form__sort"
    package static let direction = "form__direction"
    package static let show = "form__show"
    package static let forward = "form__forward"

    package enum Comparison: Hashable, Sendable, CaseIterable {
        case by(Filter.Operator)
        case between
        case isEmpty(Bool)
        case isTrue(Bool)

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

        package init?(of filter: Filter) {
            switch (filter.operation, filter.operands.first) {
            case (.isNull, let operand?): self = .isEmpty(operand == .boolean(true))
            case (.equal, .boolean(let isTrue)?): self = .isTrue(isTrue)
            case (.identical, _): return nil
            case (let operation, _): self = .by(operation)
            }
        }

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
