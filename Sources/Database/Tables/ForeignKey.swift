package import Listings

package struct ForeignKey: Hashable, Sendable {
    /// The quoted name.
    let table: String
    let column: String
    /// The quoted name.
    let target: String
    /// Nil for the primary key.
    let key: String?

    package init(table: String, column: String, target: String, key: String?) {
        self.table = table
        self.column = column
        self.target = target
        self.key = key
    }
}

extension [ForeignKey] {
    package func relations(among lists: [ExternalList]) -> [ListRelation] {
        func list(_ table: String) -> ExternalList? {
            lists.first { $0.table.quotedName == table }
                ?? lists.first { $0.table.quotedName.lowercased() == table.lowercased() }
        }
        return compactMap { key in
            guard let own = list(key.table), let column = own.id(ofColumn: key.column),
                let target = list(key.target)
            else { return nil }
            let keyNames = target.table.key.map { $0.name.lowercased() }
            let isID = key.key.map { keyNames == [$0.lowercased()] } ?? (keyNames.count == 1)
            let other = isID ? nil : key.key.flatMap(target.id(ofColumn:))
            guard isID || other != nil else { return nil }
            return ListRelation(list: own.name, column: column, target: target.name, key: other)
        }
    }
}

extension ExternalList {
    fileprivate func id(ofColumn name: String) -> String? {
        table.columns.firstIndex { $0.name.lowercased() == name.lowercased() }
            .map { columns[$0].id }
    }
}
