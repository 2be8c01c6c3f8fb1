extension ListSchema {
    /// The ids of the columns that label rows: in tables, titles and links.
    ///
    /// They are a name, the names of a person, a title, the first important texts, or else the
    /// first texts. A list whose rows begin with a time, or have several keys, has none of the last.
    package var labelColumns: [String] { labels.map { columns[$0].id } }

    func findLabels(besides keys: Set<Int> = []) -> [Int] {
        func named(_ names: Set<String>) -> Int? {
            ownColumns.first { position in
                let id = columns[position].id.lowercased().filter { $0 != "_" && $0 != " " }
                return columns[position].type.isText && names.contains(id)
            }
        }
        if let name = named(["name"]) ?? named(["fullname", "displayname"]) { return [name] }
        let names = [
            named(["firstname", "givenname", "forename", "given"]),
            named(["lastname", "familyname", "surname", "family"]),
        ]
        let person = names.compactMap(\.self)
        if person.count == 2 { return person }
        // The title of a person is that of a job.
        if let label = person.first ?? named(["title"]) { return [label] }
        let others = ownColumns.filter { $0 != idColumn && !keys.contains($0) }
        let important = others.prefix { columns[$0].type == .text && columns[$0].priority == 1 }
        guard important.isEmpty else { return Array(important) }
        let first = others.first { columns[$0].type == .text || columns[$0].type.isTime }
        guard keyColumns.count < 2, let first, columns[first].type == .text else { return [] }
        return [first]
    }

    /// Returns the order of columns on pages: labels first, ids last.
    func findDisplayOrder() -> [Int] {
        guard !labels.isEmpty, !isOrdered else { return Array(ownColumns) }
        let ids = keyColumns.filter { !labels.contains($0) }
        let others = ownColumns.filter { !labels.contains($0) && !ids.contains($0) }
        return labels + others + ids
    }

    /// Returns the schema as pages show it, with the columns of foreign keys named after the rows.
    ///
    /// - Parameters:
    ///   - labels: The ids of the columns that label rows; nil finds them.
    ///   - keys: The foreign keys of the list.
    /// - Returns: The schema.
    package func presented(labels: [String]?, keys: [ListRelation]) -> ListSchema {
        var names: [Int: String] = [:]
        for key in keys {
            guard let position = index(of: key.column) else { continue }
            let column = columns[position]
            let name = Column.label(from: key.name)
            let isTaken = columns.contains { $0.id != column.id && $0.label == name }
            let isOwn = column.label != Column.label(from: column.fileName)
            names[position] = isTaken || isOwn ? column.label : name
        }
        return naming(names, labelledBy: labels?.compactMap(index))
    }
}
