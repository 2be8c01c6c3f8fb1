import Listings

/// The SQL expression by which values of a column are compared.
package struct Operand: Hashable, Sendable {
    /// The expression for the value of a row, including its collation.
    package let expression: String
    /// The suffix of a bound value that is compared with the expression.
    private let cast: String
    /// SQL for a value that sorts before all others, or nil if none is known.
    ///
    /// It replaces `IS NOT NULL`, for which SQLite uses no index and reads every row without a
    /// value.
    package let least: String?
    /// Whether values are compared with keys (``Dialect/key(of:)``).
    package let isKeyed: Bool

    /// Creates a comparand.
    ///
    /// - Parameters:
    ///   - expression: The expression for the value of a row, including its collation.
    ///   - cast: The suffix of a bound value that is compared with it, for example `::bigint`.
    ///   - least: SQL for a value that sorts before all others, where `IS NOT NULL` would use no
    ///     index.
    ///   - isKeyed: Whether values are compared with keys.
    package init(
        _ expression: String,
        cast: String = "",
        least: String? = nil,
        isKeyed: Bool = false
    ) {
        self.expression = expression
        self.cast = cast
        self.least = least
        self.isKeyed = isKeyed
    }

    /// The same comparand with another expression.
    func replacing(_ expression: String) -> Operand {
        Operand(expression, cast: cast, isKeyed: isKeyed)
    }

    /// A value converted for binding in a comparison.
    func bound(_ value: CellValue, by dialect: any Dialect) -> CellValue {
        isKeyed ? dialect.key(of: value) : value
    }

    /// The placeholder of a bound value, as spelled by ``Dialect/place(_:)``, with its cast.
    package func parameter(_ place: String) -> String { place + cast }
}
