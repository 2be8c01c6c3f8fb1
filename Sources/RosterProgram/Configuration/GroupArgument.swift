package import ListAPI

/// A grouping of the command line: `state`, `people=state` or `lastName:initial`.
package struct GroupArgument: Hashable, Sendable {
    /// The list; nil for every list that has the column.
    package let list: String?
    package let column: String
    package let isInitial: Bool

    package init(_ text: String, origin: String) throws(Failure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        list = parts.count == 2 ? String(parts[0]) : nil
        let words = (parts.last ?? "").split(
            separator: ":",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        column = words.first.map(String.init) ?? ""
        isInitial = words.count == 2
        guard !column.isEmpty, list != "", words.count < 2 || words[1] == "initial" else {
            throw .invalidValue(
                origin,
                value: text,
                allowed: "COLUMN, COLUMN:initial or LIST=COLUMN"
            )
        }
    }

    static func list(
        _ text: String,
        origin: String
    ) throws(Failure) -> [GroupArgument] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        return try parts.map { (part) throws(Failure) in
            try GroupArgument(String(part), origin: origin)
        }
    }
}
