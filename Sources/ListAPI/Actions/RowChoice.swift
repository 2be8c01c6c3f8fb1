/// The rows that a bulk action applies to.
enum RowChoice: Hashable, Sendable {
    /// The rows with these IDs, which are distinct.
    case ids([String])
    /// All rows that the query of the URL selects.
    case all

    /// The maximum number of rows, because the event loop serves no other request meanwhile.
    static let maximumRows = 1_000

    /// Reads the choice from a request's content: `ids` in JSON, `id` in forms, or `all`.
    ///
    /// - Throws: ``ContentValidationError``.
    init(_ content: RequestContent) throws(ContentValidationError) {
        let ids =
            switch content {
            case .json: "ids"
            case .empty, .form: "id"
            }
        let members = try BodyFields(content, allowed: [ids, "all"])
        guard try members.choice(among: [ids, "all"]) == ids else {
            try members.confirm("all")
            self = .all
            return
        }
        let chosen = try members.texts(ids)
        guard !chosen.isEmpty else {
            throw ContentValidationError(
                place: members.place(of: ids),
                kind: .missing(choices: [ids])
            )
        }
        guard chosen.count <= Self.maximumRows else {
            throw ContentValidationError(
                place: members.place(of: ids),
                kind: .tooMany(maximum: Self.maximumRows)
            )
        }
        self = .ids(chosen)
    }
}
