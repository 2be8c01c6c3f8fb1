/// The rows of other lists inside the rows of a query, as in `embed=customer(name),orders`.
package struct Embedding: Hashable, Sendable {
    package static let maximumRows = 1_000

    package let text: String
    package let lists: [EmbeddedList]

    package init(text: String, lists: [EmbeddedList]) {
        self.text = text
        self.lists = lists
    }
}

package struct EmbeddedList: Hashable, Sendable {
    package let name: String
    package let relation: ListRelation
    /// Whether the embedded rows refer to the row; otherwise it refers to one of them.
    package let isMany: Bool
    package let scope: RowScope
    package var columns: [String]?
    package var lists: [EmbeddedList] = []

    package init(_ name: String, _ relation: ListRelation, isMany: Bool, scope: RowScope) {
        self.name = name
        self.relation = relation
        self.isMany = isMany
        self.scope = scope
    }

    package var list: String { isMany ? relation.list : relation.target }
}
