/// The rows that an action of many rows is asked for.
enum RowChoice: Hashable, Sendable {
    /// The rows with these ids, which differ.
    case ids([String])
    /// Every row that the parameters of the address ask for.
    case all

    /// The most rows that are acted on at once: the loop that does it answers nobody meanwhile.
    static let maximumRows = 1_000

    /// Reads the choice from a request's content: `ids` in JSON, `id` in forms, or `all`.
    ///
    /// - Throws: ``ContentFault``.
    init(_ content: RequestContent) throws(ContentFault) {
        let ids =
            switch content {
            case .json: "ids"
            case .empty, .form: "id"
            }
        let members = try ContentMembers(content, allowed: [ids, "all"])
        guard try members.choice(among: [ids, "all"]) == ids else {
            try members.confirm("all")
            self = .all
            return
        }
        let chosen = try members.texts(ids)
        guard !chosen.isEmpty else {
            throw ContentFault(place: members.place(of: ids), kind: .missing(choices: [ids]))
        }
        guard chosen.count <= Self.maximumRows else {
            throw ContentFault(
                place: members.place(of: ids),
                kind: .tooMany(maximum: Self.maximumRows)
            )
        }
        self = .ids(chosen)
    }
}
