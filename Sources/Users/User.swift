public import Listings

/// A person of a user list.
public struct User: Identifiable, Hashable, Sendable {
    /// Names the user for good.
    public let id: String
    /// The given name, if known.
    public var firstName: String?
    /// The family name, if known.
    public var lastName: String?
    /// What the user does, if known; users are shown in sections by it.
    public var occupation: String?
    /// Everything else that is known, in the order of the controller's further columns.
    public var further: [CellValue]
    /// Changes with every change of the user; nil where nobody keeps count.
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
