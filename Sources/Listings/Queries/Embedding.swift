/// The rows of other lists inside the rows of a query, as in `embed=customer(name),orders`.
package struct Embedding: Hashable, Sendable {
    /// The maximum number of rows of one list inside a page.
    package static let maximumRows = 1_000

    /// The text of the parameter.
    package let text: String
    package let lists: [EmbeddedList]

    /// Describes an embedding as it was sent.
    package init(text: String, lists: [EmbeddedList]) {
        self.text = text
        self.lists = lists
    }
}

/// A list whose rows are embedded.
package struct EmbeddedList: Hashable, Sendable {
    /// The name in requests and responses.
    package let name: String
    /// The foreign key between both lists.
    package let relation: ListRelation
    /// Whether the embedded rows refer to the row; otherwise it refers to one of them.
    package let isMany: Bool
    /// The rows that the caller may see.
    package let scope: RowScope
    /// The ids of the shown columns; nil for all.
    package var columns: [String]?
    /// The lists inside these rows.
    package var lists: [EmbeddedList] = []

    /// Describes a list.
    package init(_ name: String, _ relation: ListRelation, isMany: Bool, scope: RowScope) {
        self.name = name
        self.relation = relation
        self.isMany = isMany
        self.scope = scope
    }

    /// The list with the embedded rows.
    package var list: String { isMany ? relation.list : relation.target }
}
