package import Listings

package struct ListRelations {
    let lists: [String: ListDefinition]
    private let labels: [String: [String]]
    private let outgoing: [String: [ListRelation]]
    private let incoming: [String: [ListRelation]]

    /// A configured key replaces the declared one of its column; unusable keys are left out.
    package init(_ lists: [ListDefinition], _ options: RelationOptions) {
        var known: [String: ListDefinition] = [:]
        for list in lists where list.segments == nil { known[list.name] = list }
        var outgoing: [String: [ListRelation]] = [:]
        var incoming: [String: [ListRelation]] = [:]
        for list in lists {
            for relation in options.keys(of: list) where relation.isUsable(among: known) {
                outgoing[list.name, default: []].append(relation)
                incoming[relation.target, default: []].append(relation)
            }
        }
        self.lists = known
        labels = Dictionary(
            uniqueKeysWithValues: known.map { name, list in
                let keys = options.keys(of: list)
                let schema = list.source.schema.presented(labels: options.labels[name], keys: keys)
                return (name, schema.labelColumns)
            }
        )
        (self.outgoing, self.incoming) = (outgoing, incoming)
    }

    package func keys(of list: String) -> [ListRelation] { outgoing[list] ?? [] }

    func keys(to list: String) -> [ListRelation] { incoming[list] ?? [] }

    func relates(_ list: String) -> Bool { outgoing[list] != nil || incoming[list] != nil }

    package func labels(of list: String) -> [String] { labels[list] ?? [] }

    package func lists(relatedTo list: String) -> [RelatedList] {
        lists(relatedTo: list, for: nil)
    }

    func lists(relatedTo list: String, for caller: Caller?) -> [RelatedList] {
        keys(of: list).compactMap { relation in
            guard let source = lists[relation.target]?.source,
                let lookup = lookup(relation, for: caller)
            else { return nil }
            return RelatedList(lookup: lookup, source: source)
        }
    }

    /// Returns a key for a caller; nil if the caller may not read the list that it refers to.
    func lookup(_ relation: ListRelation, for caller: Caller?) -> Lookup? {
        let view = caller.view(of: relation.target)
        guard view.mayRead else { return nil }
        return Lookup(relation, labels: labels(of: relation.target), scope: view.scope)
    }
}

package struct RelatedList {
    let lookup: Lookup
    let source: any ListSource

    var schema: ListSchema { source.schema }
}

extension ListRelation {
    fileprivate func isUsable(among lists: [String: ListDefinition]) -> Bool {
        guard let own = lists[list]?.source.schema, let other = lists[target]?.source.schema else {
            return false
        }
        return own.index(of: column) != nil && key.map { other.index(of: $0) != nil } ?? true
    }
}

package struct RelationOptions: Hashable, Sendable {
    package var relations: [ListRelation] = []
    /// The ids of the columns that label rows, by the names of lists.
    package var labels: [String: [String]] = [:]

    package init() {}

    /// The configured foreign keys of a list, and the declared ones of other columns.
    func keys(of list: ListDefinition) -> [ListRelation] {
        let own = relations.filter { $0.list == list.name }
        return list.relations.filter { key in !own.contains { $0.column == key.column } } + own
    }
}
