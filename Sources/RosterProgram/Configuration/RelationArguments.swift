import ListAPI
import Listings

package struct RelationArguments: Hashable, Sendable {
    /// A foreign key before its lists are known: `orders.customer=customers`.
    struct Key: Hashable, Sendable {
        let list: String
        let column: String
        let target: String
    }

    var keys: [Key] = []
    var labels: [String: String] = [:]

    init() {}

    static func keys(_ value: String, origin: String) throws(Failure) -> [Key] {
        let refusal = Failure.invalidValue(
            origin,
            value: value,
            allowed: "LIST.COLUMN=LIST, as in orders.customer=customers"
        )
        var keys: [Key] = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", omittingEmptySubsequences: false)
            let dot = words[0].lastIndex(of: ".")
            guard words.count == 2, let dot, !words[1].isEmpty else {
                throw refusal
            }
            let column = words[0][words[0].index(after: dot)...]
            guard dot > words[0].startIndex, !column.isEmpty else {
                throw refusal
            }
            let key = Key(
                list: String(words[0][..<dot]),
                column: String(column),
                target: String(words[1])
            )
            keys.append(key)
        }
        return keys
    }

    static func labels(
        _ value: String,
        origin: String
    ) throws(Failure) -> [String: String] {
        var labels: [String: String] = [:]
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", omittingEmptySubsequences: false)
            guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
                let example = "customers=company or customers=firstName+lastName"
                throw .invalidValue(origin, value: value, allowed: "LIST=COLUMN, as in \(example)")
            }
            guard labels.updateValue(String(words[1]), forKey: String(words[0])) == nil else {
                throw .invalidValue(origin, value: value, allowed: "one label for each list")
            }
        }
        return labels
    }
}

extension RelationArguments {
    func options(for lists: [ListDefinition]) throws(Failure) -> RelationOptions {
        var options = RelationOptions()
        for key in keys {
            let own = try Self.list(key.list, among: lists, flag: "--relate")
            try Self.check(key.column, of: own, flag: "--relate")
            var target = key.target
            var column: String?
            if !lists.contains(where: { $0.name == target }),
                let dot = target.lastIndex(of: ".")
            {
                column = String(target[target.index(after: dot)...])
                target = String(target[..<dot])
            }
            let other = try Self.list(target, among: lists, flag: "--relate")
            if let column { try Self.check(column, of: other, flag: "--relate") }
            options.relations.append(
                ListRelation(list: own.name, column: key.column, target: target, key: column)
            )
        }
        for (name, label) in labels.sorted(by: { $0.key < $1.key }) {
            let list = try Self.list(name, among: lists, flag: "--label")
            let columns = Self.labels(label, in: list.source.schema)
            for column in columns { try Self.check(column, of: list, flag: "--label") }
            options.labels[name] = columns
        }
        return options
    }

    static func labels(_ text: String, in schema: ListSchema) -> [String] {
        schema.index(of: text) != nil
            ? [text] : text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    }

    private static func list(
        _ name: String,
        among lists: [ListDefinition],
        flag: String
    ) throws(Failure) -> ListDefinition {
        guard let list = lists.first(where: { $0.name == name }) else {
            let hint = Suggestion.hint(for: name, among: lists.map(\.name))
            throw Failure(.usage, "\(flag): no list '\(name)'\(hint)")
        }
        guard list.segments == nil else {
            throw Failure(.usage, "\(flag): '\(name)' has segments, so it has no relations")
        }
        return list
    }

    private static func check(
        _ column: String,
        of list: ListDefinition,
        flag: String
    ) throws(Failure) {
        let columns = list.source.schema.columns.map(\.id)
        guard column != ListSchema.idName, !columns.contains(column) else { return }
        let hint = Suggestion.hint(for: column, among: columns)
        throw Failure(.usage, "\(flag): '\(list.name)' has no column '\(column)'\(hint)")
    }
}
