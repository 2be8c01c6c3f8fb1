import Listings

/// The one rule that makes ids of columns from the names they have where the data comes from.
///
/// An id stands in addresses (`sort=-age,city`, `age__gte=18`) and must not be a word of theirs:
/// - control characters, `,` and `:` become `_`, as does a `-` in front; an empty name is `column`;
/// - runs of `_` become one;
/// - a word of the query language, `id` and `roster_revision` in any case get a `_` behind, but the
///   column that gives the ids of the rows is `id`;
/// - a name that differs from an earlier one at most by case is numbered: `city`, `City_2`.
package enum PublicColumnName {
    /// The ids for names, in their order; all differ, also where case does not count.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - key: The position of the column that gives the ids of the rows; nil where none is shown.
    /// - Returns: The ids.
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
        return reserved.contains(id.lowercased()) ? id + "_" : id
    }

    private static let reserved = ListSchema.reservedIDs.union(["roster_revision"])
}
