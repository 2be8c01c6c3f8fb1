import Database
import ListAPI
import Listings
import RemoteLists

extension DescribedList {
    static func check(
        _ descriptions: [DescribedList],
        _ lists: [ListDefinition],
        isComplete: Bool
    ) throws(Failure) {
        let names = lists.map(\.name)
        for described in descriptions where !described.isHidden {
            let name = described.name
            if let list = lists.first(where: { $0.name == name.value }) {
                try described.check(list, among: lists)
            } else if isComplete {
                let hint = Suggestion.hint(for: name.value, among: names)
                throw Failure(.configuration, "\(name.location): no list '\(name.value)'\(hint)")
            }
        }
    }

    private func check(_ list: ListDefinition, among lists: [ListDefinition]) throws(Failure) {
        let schema = list.source.schema
        for column in columns { try check(column, of: schema, among: lists) }
        guard !schema.columns.isEmpty else {
            throw Failure(
                .configuration,
                "\(name.location): every column of '\(list.name)' is hidden"
            )
        }
        // The rows of another service have the columns of their document.
        let isRemote = !(list.source is TableSource)
        if isRemote, let first = order.first ?? columns.first(where: \.isHidden)?.id {
            let text = "the columns of '\(list.name)', a list of another service, stay as they are"
            throw Failure(.configuration, "\(first.location): \(text)")
        }
        for column in order { _ = try shown(column.value, column.location, schema) }
        for (index, column) in show.enumerated() {
            _ = try shown(column.value, column.location, schema)
            guard !show[..<index].contains(where: { $0.value == column.value }) else {
                let text = "'\(column.value)' is shown twice"
                throw Failure(.configuration, "\(column.location): \(text)")
            }
        }
        if let label {
            for column in RelationArguments.labels(label.value, in: schema) {
                _ = try shown(column, label.location, schema)
            }
        }
        for step in sort {
            let column = try shown(Self.step(step.value).id, step.location, schema)
            guard column.isSortable else {
                throw Failure(.configuration, "\(step.location): '\(column.id)' cannot be sorted")
            }
        }
        if let group {
            let id = group.value.split(separator: ":").first.map(String.init) ?? ""
            let column = try shown(id, group.location, schema)
            guard column.isGroupable else {
                let text = "'\(column.id)' makes no sections: its values rarely repeat"
                throw Failure(.configuration, "\(group.location): \(text)")
            }
        }
    }

    private func check(
        _ described: Column,
        of schema: ListSchema,
        among lists: [ListDefinition]
    ) throws(Failure) {
        let id = described.id
        if described.isHidden {
            _ = try Self.column(
                id.value,
                id.location,
                schema.columns + schema.hidden,
                of: name.value
            )
            guard id.value != ListSchema.idName else {
                throw Failure(.configuration, "\(id.location): the ids of rows cannot be hidden")
            }
            guard let target = described.target else { return }
            let text = "the relation of a hidden column cannot be shown"
            throw Failure(.configuration, "\(target.location): \(text)")
        }
        let column = try shown(id.value, id.location, schema)
        if let format = described.format, !format.value.suits(column) {
            let text = "format '\(format.value.text)' does not suit '\(id.value)'"
            throw Failure(
                .configuration,
                "\(format.location): \(text), whose type is \(column.type.rawValue)"
            )
        }
        guard let target = described.target else { return }
        let names = lists.map(\.name)
        let words = target.value.split(separator: ".")
        let isKnown = names.contains { name in
            target.value == name || target.value.hasPrefix(name + ".")
        }
        guard !isKnown else { return }
        let hint = Suggestion.hint(for: words.first.map(String.init) ?? "", among: names)
        throw Failure(.configuration, "\(target.location): no list '\(target.value)'\(hint)")
    }

    private func shown(
        _ id: String,
        _ location: String,
        _ schema: ListSchema
    ) throws(Failure) -> Listings.Column {
        guard !schema.hidden.contains(where: { $0.id == id }) else {
            throw Failure(.configuration, "\(location): column '\(id)' is hidden")
        }
        return try Self.column(id, location, schema.columns, of: name.value)
    }

    private static func column(
        _ id: String,
        _ location: String,
        _ columns: [Listings.Column],
        of list: String
    ) throws(Failure) -> Listings.Column {
        if let column = columns.first(where: { $0.id == id }) { return column }
        let near = Suggestion.nearest(to: id, among: columns.map(\.id))
        let hint =
            near.map { "did you mean '\($0)'?" }
            ?? "it has " + columns.map(\.id).joined(separator: ", ")
        throw Failure(.configuration, "\(location): '\(list)' has no column '\(id)'; \(hint)")
    }
}

extension ListDefinition {
    func described(by described: DescribedList?) -> ListDefinition {
        described.map { self.described(as: $0.title, $0.about) } ?? self
    }
}
