import Listings

/// SQL that stands for a value where values are compared.
package struct Comparand: Hashable, Sendable {
    /// The value of a row, its collation included.
    package let expression: String
    /// What follows a bound value that it is compared with.
    private let cast: String
    /// SQL for a value that no other one stands before; nil where none is known.
    ///
    /// SQLite looks up no index for `IS NOT NULL`: it would pass over every row without a value.
    package let least: String?
    /// Whether it is compared with keys (``Dialect/key(of:)``) instead of values.
    package let isKeyed: Bool

    /// Creates a comparand.
    ///
    /// - Parameters:
    ///   - expression: The value of a row, its collation included.
    ///   - cast: What follows a bound value that it is compared with, for example `::bigint`.
    ///   - least: SQL for a value that no other one stands before, where an index is looked up for
    ///     that and not for `IS NOT NULL`.
    ///   - isKeyed: Whether it is compared with keys instead of values.
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

    /// Another expression for the same value.
    func replacing(_ expression: String) -> Comparand {
        Comparand(expression, cast: cast, isKeyed: isKeyed)
    }

    /// A value as it is bound to be compared.
    func bound(_ value: CellValue, by dialect: any Dialect) -> CellValue {
        isKeyed ? dialect.key(of: value) : value
    }

    /// The bound value at a place, as ``Dialect/place(_:)`` spells it.
    package func parameter(_ place: String) -> String { place + cast }
}
