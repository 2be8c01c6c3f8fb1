import HTTP
import Listings
import Rendering

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
        var content = content
        if case .form(let items) = content {
            content = .form(items.filter { !$0.name.hasPrefix(RowDecoder.formMarks) })
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

    /// Reads the choice from content, and returns the ids of its rows.
    ///
    /// - Throws: ``Refusal`` for invalid content, and for more than ``maximumRows``.
    static func rows(
        of content: RequestContent,
        _ call: some ListCall,
        in context: inout RequestContext
    ) throws -> [String] {
        do throws(ContentValidationError) {
            switch try RowChoice(content) {
            case .ids(let ids): return ids
            case .all: break
            }
        } catch {
            let detail = "The content was not understood; nothing was done."
            throw context.refusal(call, .malformedContent, detail, faults: [error.fault])
        }
        do {
            return try matchingRows(call, in: &context)
        } catch SourceError.unknownSection(let id) {
            throw context.refusal(call, .notFound, "No section '\(id)' in \(call.list.name).")
        }
    }

    /// Returns the ids of all rows that match the parameters.
    private static func matchingRows(
        _ call: some ListCall,
        in context: inout RequestContext
    ) throws -> [String] {
        let endpoint = call.endpoint
        var query = call.prepared.query
        query.shape = .flow(limit: endpoint.schema.maximumLimit)
        query.start = .beginning
        var rows: [String] = []
        while true {
            try endpoint.read(query)
            for row in 0..<endpoint.page.rowCount { rows.append(endpoint.page.id(ofRow: row)) }
            guard rows.count <= maximumRows else {
                let fault = ContentValidationError(
                    place: nil,
                    kind: .tooMany(maximum: maximumRows)
                )
                let detail = "Too many rows match; nothing was done."
                throw context.refusal(call, .malformedContent, detail, faults: [fault.fault])
            }
            guard let next = endpoint.page.next else { return rows }
            query.start = .after(next)
        }
    }
}
