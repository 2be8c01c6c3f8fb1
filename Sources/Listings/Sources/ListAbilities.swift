/// The queries that a source answers, beyond its rows in their default order.
///
/// A source of your own declares them with its schema:
///
/// ```swift
/// let schema = try ListSchema(columns: columns)
///     .limited(to: [.sorting, .filtering], operators: [.equal, .among])
/// ```
///
/// Missing abilities are absent from the schema, the page and the OpenAPI description of the list,
/// and queries that need them are refused with 400. `ListSourceCheck` finds declared abilities that a source lacks.
public struct ListAbilities: OptionSet, Hashable, Sendable {
    /// A bit for each ability.
    public let rawValue: UInt16

    /// Creates a set of abilities.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Orders by the sortable columns, in both directions, and by several of them.
    public static let sorting = ListAbilities(rawValue: 1 << 0)
    /// Orders by the ids of rows.
    public static let sortingByID = ListAbilities(rawValue: 1 << 1)
    /// Conditions on the filterable columns.
    public static let filtering = ListAbilities(rawValue: 1 << 2)
    /// Conditions on the ids of rows.
    public static let filteringByID = ListAbilities(rawValue: 1 << 3)
    /// Conditions that are joined by `or` and `not`.
    public static let joining = ListAbilities(rawValue: 1 << 4)
    /// Searches for words.
    public static let searching = ListAbilities(rawValue: 1 << 5)
    /// Sections of the values of the groupable columns.
    public static let grouping = ListAbilities(rawValue: 1 << 6)
    /// The numbers of rows of the list, its sections and its values.
    public static let counting = ListAbilities(rawValue: 1 << 7)
    /// Sums, averages and extremes.
    public static let aggregating = ListAbilities(rawValue: 1 << 8)
    /// Pages that begin after a number of rows.
    public static let skipping = ListAbilities(rawValue: 1 << 9)

    /// Pages that end at a position, and the last page.
    ///
    /// Sources need not declare it: only a program that reads pages forward lacks it.
    package static let reversing = ListAbilities(rawValue: 1 << 10)

    /// All abilities; the default.
    public static let all: ListAbilities = [
        .sorting, .sortingByID, .filtering, .filteringByID, .joining, .searching, .grouping,
        .counting, .aggregating, .skipping,
    ]
}

extension ListSchema {
    /// Returns the same schema for a source that answers some queries only.
    ///
    /// - Parameters:
    ///   - abilities: The queries that the source answers.
    ///   - operators: The comparisons of its conditions.
    /// - Returns: The schema, whose columns allow no more than that.
    public func limited(
        to abilities: ListAbilities,
        operators: [Filter.Operator] = Filter.Operator.allCases
    ) -> ListSchema {
        var schema = self
        schema.limit(to: abilities, operators)
        return schema
    }

    /// Returns the comparisons with values of a column.
    public func operators(for column: Column) -> [Filter.Operator] {
        guard column.isFilterable else { return [] }
        return Filter.Operator.allowed(for: column.type).filter(operators.contains)
    }

    /// The comparisons with the ids of rows.
    public var operatorsForIDs: [Filter.Operator] {
        guard abilities.contains(.filteringByID) else { return [] }
        return Filter.Operator.allowedForIDs.filter(operators.contains)
    }

    /// Whether a list can be sorted by the ids of its rows, which no column shows.
    package var sortsByHiddenID: Bool { idColumn == nil && abilities.contains(.sortingByID) }
}
