package import Listings

/// A query with the scope of its caller, which is complete and can therefore be read.
@dynamicMemberLookup
package struct ScopedQuery: Hashable, Sendable {
    /// The query as the caller sent it.
    package var query: ListQuery
    package let scope: RowScope

    package init(_ query: ListQuery, in scope: RowScope) {
        self.query = query
        self.scope = scope
    }

    /// The query for a source, with the conditions of the scope.
    package var complete: ListQuery {
        guard !scope.isEveryRow else { return query }
        var complete = query
        complete.filters += scope.conditions
        return complete
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<ListQuery, Value>) -> Value {
        get { query[keyPath: path] }
        set { query[keyPath: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: KeyPath<ListQuery, Value>) -> Value {
        query[keyPath: path]
    }
}
