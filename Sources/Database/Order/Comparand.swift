/// SQL that stands for a value where values are compared.
package struct Comparand: Hashable, Sendable {
    /// The value of a row, its collation included.
    package let expression: String
    /// What follows a bound value that it is compared with.
    private let cast: String

    /// Creates a comparand.
    ///
    /// - Parameters:
    ///   - expression: The value of a row, its collation included.
    ///   - cast: What follows a bound value that it is compared with, for example `::bigint`.
    package init(_ expression: String, cast: String = "") {
        self.expression = expression
        self.cast = cast
    }

    /// Another expression for the same value.
    func replacing(_ expression: String) -> Comparand { Comparand(expression, cast: cast) }

    /// The bound value at a place, as ``Dialect/place(_:)`` spells it.
    package func parameter(_ place: String) -> String { place + cast }
}
