/// The id of a child row: the ids of its ancestor models and its own, from the top.
///
/// Its text is `docs>guides>start`, with `>` and `%` in ids escaped as `%3E` and `%25`. So children
/// of different rows may have the same id. A row is found only by descending its path.
package struct RowPath: Hashable, Sendable {
    static let maximumDepth = 16
    static let separator = ">"

    /// At least two ids, the topmost first.
    package let ids: [String]

    /// Nil for a top-level row.
    package init?(_ text: String) {
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard (2...Self.maximumDepth).contains(parts.count) else { return nil }
        var ids: [String] = []
        for part in parts {
            guard let id = Self.unescape(part) else { return nil }
            ids.append(id)
        }
        self.ids = ids
    }

    static func escape(_ id: String) -> String {
        guard id.utf8.contains(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "%") })
        else { return id }
        return id.reduce(into: "") { text, character in
            switch character {
            case ">": text += "%3E"
            case "%": text += "%25"
            default: text.append(character)
            }
        }
    }

    /// Nil if the step is not the result of `escape`.
    private static func unescape(_ step: Substring) -> String? {
        var pieces = step.split(separator: "%", omittingEmptySubsequences: false)[...]
        var id = String(pieces.removeFirst())
        for piece in pieces {
            switch piece.prefix(2) {
            case "3E": id += ">"
            case "25": id += "%"
            default: return nil
            }
            id += piece.dropFirst(2)
        }
        return id
    }
}
