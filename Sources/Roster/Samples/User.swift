public import Listings

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
