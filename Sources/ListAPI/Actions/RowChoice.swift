import HTTP
import Listings
import Rendering

enum RowChoice: Hashable, Sendable {
    case ids([String])
    case all

    /// The maximum number of rows, because the event loop serves no other request meanwhile.
    static let maximumRows = 1_000

    /// Reads the choice from a request's content: `ids` in JSON, `id` in forms, or `all`.
    init(_ content: RequestContent) throws(Problem.Fault) {
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
            throw .missing(members.location(of: ids), choices: [ids])
        }
        guard chosen.count <= Self.maximumRows else {
            throw .tooManyRows(members.location(of: ids), maximum: Self.maximumRows)
        }
        self = .ids(chosen)
    }

    static func rows(of content: RequestContent, _ call: some ListCall) throws -> [String] {
        switch try call.taking({ () throws(Problem.Fault) in try RowChoice(content) }) {
        case .ids(let ids): return ids
        case .all: break
        }
        do {
            return try matchingRows(call)
        } catch SourceError.unknownSection(let id) {
            throw call.problem(.notFound, "No section '\(id)' in \(call.list.name).")
        }
    }

    private static func matchingRows(_ call: some ListCall) throws -> [String] {
        let endpoint = call.endpoint
        var query = call.prepared.query
        query.shape = .flow(limit: endpoint.schema.maximumLimit)
        query.start = .beginning
        var rows: [String] = []
        while true {
            try endpoint.read(query)
            for row in 0..<endpoint.page.rowCount { rows.append(endpoint.page.id(ofRow: row)) }
            guard rows.count <= maximumRows else {
                let detail: Text = "Too many rows match; nothing was done."
                let fault = Problem.Fault.tooManyRows(nil, maximum: maximumRows)
                throw call.problem(.malformedContent, detail, faults: [fault])
            }
            guard let next = endpoint.page.next else { return rows }
            query.start = .after(next)
        }
    }
}
