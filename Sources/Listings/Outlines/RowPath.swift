/// The id of a row that stands below others: the ids of the models on the way to it, from the top.
///
/// Written `docs>guides>start`; `>` and `%` in an id are written `%3E` and `%25`. So models below
/// different rows may have one id, and a row is found by asking its way down and nowhere else.
struct RowPath: Hashable, Sendable {
    /// The deepest that rows stand: 16 of them below one another.
    static let maximumDepth = 16
    static let separator = ">"

    /// At least two ids, the topmost first.
    let ids: [String]

    /// Reads the id of a row; nil for a row that stands below no other.
    init?(_ text: String) {
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard (2...Self.maximumDepth).contains(parts.count) else { return nil }
        var ids: [String] = []
        for part in parts {
            guard let id = Self.unescape(part) else { return nil }
            ids.append(id)
        }
        self.ids = ids
    }

    /// An id as one step of a way.
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

    /// Reads a step; nil for one that is never written like this.
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
