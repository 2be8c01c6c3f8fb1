import Listings

package struct TableSelection: Hashable, Sendable {
    package var table: String?
    package var name: String?
    package var only: Set<String>?
    package var hidden: Set<String>
    package var keys: [String: [String]]

    package init(
        table: String? = nil,
        name: String? = nil,
        only: Set<String>? = nil,
        hidden: Set<String> = [],
        keys: [String: [String]] = [:]
    ) {
        self.table = table
        self.name = name
        self.only = only
        self.hidden = hidden
        self.keys = keys
    }

    package struct Candidate: Hashable, Sendable {
        /// The first name is that of the list.
        package let names: [String]
        package let isInternal: Bool

        package init(_ names: [String], isInternal: Bool = false) {
            self.names = names
            self.isInternal = isInternal
        }
    }

    package struct Choice: Hashable, Sendable {
        package let position: Int
        package let list: String
        package let key: [String]?
    }

    /// A name that no list can have is replaced by ``ListName/allowed(from:)``, with a number if
    /// another table has that name.
    ///
    /// The candidates are in a fixed order, which the chosen tables keep. `imported` is the number
    /// of the first candidates whose keys cannot be set.
    package func choose(from candidates: [Candidate], imported: Int = 0) -> SelectedTables {
        let names = candidates.map { $0.names[0] }.filter(ListName.isAllowed)
        var taken = Set(names.map { $0.lowercased() })
        var used: Set<String> = []
        var seen: Set<String> = []
        var selected = SelectedTables()
        for (position, candidate) in candidates.enumerated() {
            let own = candidate.names[0]
            var list = own
            if !ListName.isAllowed(own) || !seen.insert(own).inserted {
                list = ListName.free(ListName.allowed(from: own), besides: taken)
            }
            taken.insert(list.lowercased())
            let names = Set(candidate.names + [list])
            selected.names += candidate.isInternal ? [] : names.sorted()
            let words = [only ?? [], hidden].map(names.intersection)
            used.formUnion(words[0].union(words[1]))
            if let table {
                guard names.contains(table) else { continue }
                list = name ?? list
            } else {
                guard words[1].isEmpty else { continue }
                guard only.map({ _ in !words[0].isEmpty }) ?? !candidate.isInternal else {
                    if candidate.isInternal, only == nil { selected.internals.append(own) }
                    continue
                }
                if list != own { selected.renames.append((table: own, list: list)) }
            }
            let namedKey =
                position < imported ? nil : ([list] + candidate.names).first { keys[$0] != nil }
            if let namedKey { used.insert(namedKey) }
            selected.choices.append(
                Choice(position: position, list: list, key: namedKey.flatMap { keys[$0] })
            )
        }
        selected.used = used
        return selected
    }
}

package struct SelectedTables: Sendable {
    package fileprivate(set) var choices: [TableSelection.Choice] = []
    package fileprivate(set) var renames: [(table: String, list: String)] = []
    package fileprivate(set) var internals: [String] = []
    /// The names of the selection that some table has.
    package fileprivate(set) var used: Set<String> = []
    package fileprivate(set) var names: [String] = []
}
