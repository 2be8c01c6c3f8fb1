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

/// A person of a user list.
public struct User: Identifiable, Hashable, Sendable {
    /// The permanent id of the user.
    public let id: String
    /// The given name, if known.
    public var firstName: String?
    /// The family name, if known.
    public var lastName: String?
    /// The occupation, if known, which is the default grouping.
    public var occupation: String?
    /// The other known values, in the order of the controller's further columns.
    public var further: [CellValue]
    /// The revision, which changes with every change of the user, or nil if it is not tracked.
    public var revision: Int64?

    /// Creates a user.
    public init(
        id: String,
        firstName: String?,
        lastName: String?,
        occupation: String?,
        further: [CellValue] = [],
        revision: Int64? = 1
    ) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.occupation = occupation
        self.further = further
        self.revision = revision
    }
}

/// A row controller for users, which shows names, occupation and further values.
public struct UserController: RowController {
    /// The kind of every user's row.
    public let kind = "user.row"
    /// First name, last name, occupation and the further columns.
    public let columns: [Column]

    /// Creates a controller.
    ///
    /// - Parameter further: The columns of ``User/further``, in their order.
    public init(further: [Column] = []) {
        columns =
            [
                Column("firstName", priority: 1, isGroupable: true),
                Column("lastName", priority: 1, isGroupable: true),
                Column("occupation", isGroupable: true),
            ] + further
    }

    /// Writes the cells of a user.
    ///
    /// Missing further values become null.
    public func write(_ context: Context<User>, to cells: inout CellBuffer) {
        cells.append(context.model.firstName)
        cells.append(context.model.lastName)
        cells.append(context.model.occupation)
        for index in 0..<columns.count - 3 {
            let isThere = index < context.model.further.count
            cells.append(isThere ? context.model.further[index] : .null)
        }
    }

    /// The user's revision.
    public func revision(of model: User) -> Int64? { model.revision }
}
