package import Listings

package struct OrderTerm: Hashable, Sendable {
    package private(set) var comparand: Operand
    package private(set) var direction: SortKey.Direction
    package private(set) var nulls: SortKey.Nulls?
    private let nativeNulls: SortKey.Nulls
    /// The condition for rows without a value, or nil for the usual one.
    package let absence: String?

    package init(
        _ comparand: Operand,
        _ direction: SortKey.Direction = .ascending,
        nulls: SortKey.Nulls?,
        nativeNulls: SortKey.Nulls,
        absence: String? = nil
    ) {
        self.comparand = comparand
        self.direction = direction
        self.nulls = nulls
        self.nativeNulls = nativeNulls
        self.absence = absence
    }

    func shielded(by dialect: any Dialect) -> OrderTerm {
        var term = self
        term.comparand = comparand.replacing(dialect.shielded(comparand.expression))
        return term
    }

    package var expression: String { comparand.expression }

    package var reversed: OrderTerm {
        var term = self
        term.direction = direction == .ascending ? .descending : .ascending
        term.nulls = nulls.map(\.opposite)
        return term
    }

    package var isNative: Bool {
        guard let nulls else { return true }
        let native = direction == .ascending ? nativeNulls : nativeNulls.opposite
        return absence == nil && nulls == native
    }

    /// The position of nulls is omitted if it is the default or no null can occur.
    func order(withNulls: Bool) -> String {
        let text = expression + (direction == .ascending ? "" : " DESC")
        guard withNulls, !isNative else { return text }
        return text + (nulls == .first ? " NULLS FIRST" : " NULLS LAST")
    }
}

extension SortKey.Nulls {
    fileprivate var opposite: SortKey.Nulls { self == .first ? .last : .first }
}
