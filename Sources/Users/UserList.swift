public import Listings

/// How a list of users is shown unless something else is asked for: by occupation, and inside by
/// last name, first name and id.
public enum UserList {
    /// The columns that a source of users must have.
    public static let requiredColumns = ["firstName", "lastName", "occupation"]

    /// The schema of a user list.
    ///
    /// - Parameters:
    ///   - controller: Shows the users.
    ///   - idType: The type of the ids.
    ///   - grouping: The sections when none are asked for; nil shows them by occupation.
    /// - Returns: The schema.
    /// - Throws: ``ListingError`` when two columns share a name or one is reserved.
    public static func schema(
        for controller: UserController,
        idType: ColumnType,
        grouping: Grouping? = nil
    ) throws(ListingError) -> ListSchema {
        try ListSchema(
            columns: controller.columns,
            idType: idType,
            defaultGrouping: grouping ?? Grouping(column: 2),
            defaultSort: [SortKey(.column(1)), SortKey(.column(0))]
        )
    }
}
