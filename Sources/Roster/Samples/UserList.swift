public import Listings

/// The default schema of a list of users: sections by occupation, sorted by last name, first name
/// and id.
public enum UserList {
    /// The columns that a source of users must have.
    public static let requiredColumns = ["firstName", "lastName", "occupation"]

    /// The schema of a user list.
    ///
    /// - Parameters:
    ///   - controller: The row controller of the users.
    ///   - idType: The type of the ids.
    ///   - grouping: The default grouping. Nil groups by occupation.
    /// - Returns: The schema.
    /// - Throws: ``ListingError`` if two columns share a name or one is reserved.
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
