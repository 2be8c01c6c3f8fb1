import Listings
import Rendering

/// Reads the parameter `embed`: names between commas, each with columns in parentheses, and with the
/// name of a second list after a dot.
struct EmbeddingReader {
    private let relations: ListRelations
    private let caller: Caller?
    private let list: String

    init(_ relations: ListRelations, of list: String, for caller: Caller?) {
        self.relations = relations
        self.list = list
        self.caller = caller
    }

    /// Throws also for a third level, and for a list inside the rows that it has come from.
    func read(_ text: String) throws(Problem.Fault) -> Embedding {
        var lists: [EmbeddedList] = []
        for part in Self.parts(of: text) {
            let (path, columns) = try Self.split(part)
            guard path.count <= 2 else { throw Self.malformed }
            let first = try found(path[0], in: list, besides: nil)
            var location = lists.firstIndex { $0.name == first.name }
            if location == nil {
                guard lists.count < Self.maximumLists else { throw Self.tooMany }
                lists.append(first)
            }
            let index = location ?? lists.count - 1
            location = index
            guard path.count == 2 else {
                lists[index].columns = try checked(columns, of: first)
                continue
            }
            var second = try found(path[1], in: first.list, besides: first.relation)
            guard !lists[index].lists.contains(where: { $0.name == second.name }) else {
                throw .repeatedColumn("embed", column: part)
            }
            guard lists[index].lists.count < Self.maximumLists else { throw Self.tooMany }
            second.columns = try checked(columns, of: second)
            lists[index].lists.append(second)
        }
        return Embedding(text: text, lists: lists)
    }

    /// The maximum number of lists in one row, each of which is a query.
    private static let maximumLists = 8

    private static var tooMany: Problem.Fault { .tooManyValues("embed", maximum: maximumLists) }

    private static var malformed: Problem.Fault { .malformedList("embed") }

    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    private static func split(
        _ part: String
    ) throws(Problem.Fault) -> (path: [String], columns: [String]?) {
        var path = Substring(part)
        var columns: [String]?
        if let open = part.firstIndex(of: "(") {
            guard part.last == ")" else { throw malformed }
            path = part[..<open]
            columns = part[part.index(after: open)...].dropLast()
                .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else { throw malformed }
        return (names, columns)
    }

    /// Returns the list of a name; one that leads back along a key is a cycle.
    private func found(
        _ name: String,
        in list: String,
        besides key: ListRelation?
    ) throws(Problem.Fault) -> EmbeddedList {
        let known = relations.embeddable(in: list, for: caller).filter { $0.relation != key }
        if let found = known.first(where: { $0.name == name }) { return found }
        throw .unknownOption("embed", option: name, allowed: known.map(\.name))
    }

    private func checked(
        _ columns: [String]?,
        of list: EmbeddedList
    ) throws(Problem.Fault) -> [String]? {
        let known = relations.lists[list.list]?.source.schema.columns.map(\.id) ?? []
        for column in columns ?? [] where !known.contains(column) {
            let suggestion = Suggestion.nearest(to: column, among: known)
            throw .unknownColumn("embed", column: column, suggestion: suggestion, columns: known)
        }
        return columns
    }
}

extension ListRelations {
    /// A key of another list has the name of that list, with `-` and its own if several refer here.
    func embeddable(in list: String, for caller: Caller?) -> [EmbeddedList] {
        let own = keys(of: list).filter { caller.view(of: $0.target).mayRead }.map { key in
            let scope = caller.view(of: key.target).scope
            return EmbeddedList(key.name, key, isMany: false, scope: scope)
        }
        let incoming = keys(to: list)
        let others = incoming.filter { caller.view(of: $0.list).mayRead }.map { key in
            let isAmbiguous = incoming.count { $0.list == key.list } > 1
            let isTaken = own.contains { $0.name == key.list }
            return EmbeddedList(
                isAmbiguous || isTaken ? "\(key.list)-\(key.name)" : key.list,
                key,
                isMany: true,
                scope: caller.view(of: key.list).scope
            )
        }
        return own + others
    }
}
