/// The tables of a database that are served, and the names of their lists.
package struct TableSelection: Hashable, Sendable {
    /// The only table that is served, or nil for all.
    package var table: String?
    /// The name of its list, or nil for its own name.
    package var name: String?
    /// The tables or lists that are served, or nil for all.
    package var only: Set<String>?
    /// The tables or lists that are not served.
    package var hidden: Set<String>
    /// The key columns of tables or lists.
    package var keys: [String: [String]]

    /// Selects tables.
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

    /// A table of a database before it is inspected.
    package struct Candidate: Hashable, Sendable {
        /// The names that select it; the first one is that of its list.
        package let names: [String]
        /// Whether it is served only if it is named.
        package let isInternal: Bool

        /// Describes a table.
        package init(_ names: [String], isInternal: Bool = false) {
            self.names = names
            self.isInternal = isInternal
        }
    }

    /// A table that is served.
    package struct Choice: Hashable, Sendable {
        /// The position among the candidates.
        package let position: Int
        /// The name of the list.
        package let list: String
        /// The columns that a setting names as its key.
        package let key: [String]?
    }

    /// Chooses tables.
    ///
    /// A name that no list can have is replaced by ``ListName/allowed(from:)``, with a number if
    /// another table has that name.
    ///
    /// - Parameters:
    ///   - candidates: All tables of the database, in a fixed order.
    ///   - imported: The number of the first candidates whose keys cannot be set.
    /// - Returns: The chosen tables in their order.
    package func choose(from candidates: [Candidate], imported: Int = 0) -> SelectedTables {
        var taken = Set(candidates.map { $0.names[0] }.filter(ListName.isAllowed))
        var used: Set<String> = []
        var seen: Set<String> = []
        var selected = SelectedTables()
        for (position, candidate) in candidates.enumerated() {
            let own = candidate.names[0]
            var list = own
            if !ListName.isAllowed(own) || !seen.insert(own).inserted {
                list = ListName.free(ListName.allowed(from: own), besides: taken)
            }
            taken.insert(list)
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

/// The result of a ``TableSelection``.
package struct SelectedTables: Sendable {
    /// The tables that are served.
    package fileprivate(set) var choices: [TableSelection.Choice] = []
    /// The tables whose names no list can have.
    package fileprivate(set) var renames: [(table: String, list: String)] = []
    /// The tables that are served only if they are named.
    package fileprivate(set) var internals: [String] = []
    /// The names of the selection that some table has.
    package fileprivate(set) var used: Set<String> = []
    /// The names of all other tables and of their lists, for suggestions.
    package fileprivate(set) var names: [String] = []
}

/// The rules for names of lists.
package enum ListName {
    /// Whether a list can have a name.
    ///
    /// It must have visible characters and no slash. `-`, `.`, `..` and names reserved by the
    /// database are not allowed.
    package static func isAllowed(_ name: String) -> Bool {
        let lower = name.lowercased()
        let isReserved =
            lower.hasPrefix("sqlite_") || lower.hasPrefix("roster_") || name == "-" || name == "."
            || name == ".."
        return !name.isEmpty && !isReserved && name.unicodeScalars.allSatisfy(isAllowed)
    }

    /// Returns the name with `-` for each slash and control character.
    ///
    /// A result that is reserved or empty follows `table-`.
    package static func allowed(from name: String) -> String {
        var allowed = ""
        for scalar in name.unicodeScalars {
            allowed.unicodeScalars.append(isAllowed(scalar) ? scalar : "-")
        }
        return isAllowed(allowed) ? allowed : "table-" + allowed
    }

    /// Returns the name, with a number from 2 if it is taken.
    package static func free(_ name: String, besides taken: Set<String>) -> String {
        guard taken.contains(name) else { return name }
        var number = 2
        while taken.contains("\(name)-\(number)") { number += 1 }
        return "\(name)-\(number)"
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar.value != 0x7F && scalar != "/"
    }
}
