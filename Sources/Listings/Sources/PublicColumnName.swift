/// Makes ids of columns from the column names of a table or file.
///
/// An id is part of URLs (`sort=-age,city`, `age__gte=18`) and must not be a reserved word:
/// - Control characters, `,` and `:` become `_`, as does a leading `-`. An empty name becomes
///   `column`.
/// - A run of `_` becomes one.
/// - A word of the query language, `id` and `roster_revision` get a trailing `_`, in any case. The
///   key column is `id`.
/// - A name that begins with `roster_order_` gets a leading `_`.
/// - A name that differs from an earlier one at most by case is numbered: `city`, `City_2`.
package enum PublicColumnName {
    /// In the order of the names.
    ///
    /// All differ, also if case is ignored.
    ///
    /// The key is the position of the column with the row ids; nil if no column has them.
    package static func ids(for names: [String], key: Int? = nil) -> [String] {
        var taken: Set<String> = []
        return names.enumerated().map { position, name in
            guard position != key else { return ListSchema.idName }
            let base = id(for: name)
            var candidate = base
            var number = 2
            while !taken.insert(candidate.lowercased()).inserted {
                candidate = base + (base.hasSuffix("_") ? "" : "_") + "\(number)"
                number += 1
            }
            return candidate
        }
    }

    private static func id(for name: String) -> String {
        var id = ""
        for scalar in name.unicodeScalars {
            let isPlain =
                scalar.properties.generalCategory != .control && scalar != "," && scalar != ":"
                && !(scalar == "-" && id.isEmpty)
            let next = isPlain ? scalar : "_"
            if next == "_", id.unicodeScalars.last == "_" { continue }
            id.unicodeScalars.append(next)
        }
        if id.isEmpty { id = "column" }
        // A table has a column of this name for each column of texts.
        if id.lowercased().hasPrefix("roster_order_") { return "_" + id }
        return reserved.contains(id.lowercased()) ? id + "_" : id
    }

    /// The id of a column whose name a program chose: `limit_` for `limit`.
    package static func id(declared name: String) -> String {
        name != ListSchema.idName && ListSchema.reservedIDs.contains(name) ? name + "_" : name
    }

    package static func isAllowed(_ id: String) -> Bool {
        self.id(for: id) == id || id == ListSchema.idName || reserved.contains(id.lowercased())
    }

    /// The name of the column to which an export gives the id, such as `limit` for `limit_`.
    package static func source(of id: String) -> String {
        guard id.hasSuffix("_") else { return id }
        let name = String(id.dropLast())
        return reserved.contains(name.lowercased()) ? name : id
    }

    private static let reserved = ListSchema.reservedIDs.union(["roster_revision"])
}
