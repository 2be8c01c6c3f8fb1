import HTTP
import Rendering
import Routing

/// The addresses of the service, the only place that knows them besides ``ListLinks``.
enum Route: Hashable, Sendable {
    /// All lists.
    case directory
    /// A list.
    case list
    /// A row.
    case row
    /// The sections, the schema: what is named behind `/-/`.
    case view
    /// One section.
    case section
    /// How far the rows of another service are, and asking for them again.
    case refresh
    /// Where many rows are written at once.
    case rows
    /// Where a file of rows is imported.
    case importing
    /// How far an import is.
    case imported
    /// Something that is done with a row.
    case rowAction
    /// The cell of a column in a row.
    case cell
    /// Something that is done with many rows.
    case bulkAction
    /// Whether the process runs.
    case live
    /// Whether it takes requests.
    case ready
    /// The version of the program.
    case version
    /// What was counted, for a monitor.
    case metrics
    /// What is served and how, for the operator.
    case lists
    /// A file that comes with the pages.
    case asset
    /// The explanation of a kind of problem.
    case problem

    /// The description of the service.
    case description

    /// What a route is registered under.
    typealias Entry = (method: HTTPMethod, pattern: String, route: Route)

    /// The routes, each with its method and the pattern of its paths.
    static let table: [Entry] = [
        (.get, "/", .directory),
        (.get, "/{list}", .list),
        (.post, "/{list}", .list),
        (.get, "/{list}/{row}", .row),
        (.put, "/{list}/{row}", .row),
        (.patch, "/{list}/{row}", .row),
        (.delete, "/{list}/{row}", .row),
        (.post, "/{list}/-/rows", .rows),
        (.post, "/{list}/-/import", .importing),
        (.get, "/{list}/-/import/{import}", .imported),
        (.delete, "/{list}/-/import/{import}", .imported),
        (.get, "/{list}/-/{view}", .view),
        (.get, "/{list}/-/sections/{section}", .section),
        (.get, "/{list}/-/refresh", .refresh),
        (.post, "/{list}/-/refresh", .refresh),
        (.get, "/{list}/{row}/-/{action}", .rowAction),
        (.post, "/{list}/{row}/-/{action}", .rowAction),
        (.get, "/{list}/{row}/-/cells/{column}", .cell),
        (.post, "/{list}/-/actions/{action}", .bulkAction),
        (.get, "/-/live", .live),
        (.get, "/-/ready", .ready),
        (.get, "/-/metrics", .metrics),
        (.get, "/-/lists", .lists),
        (.get, "/-/version", .version),
        (.get, Address.description, .description),
        (.get, "/-/assets/{name}", .asset),
        (.get, "/-/problems/{kind}", .problem),
    ]

    /// The routes by the patterns of their paths.
    static func router() throws -> Router<Route> {
        var router = Router<Route>()
        for entry in table { try router.register(entry.method, entry.pattern, entry.route) }
        // As many folders below one another as a public folder may have.
        for depth in 1..<8 {
            let folders = (0..<depth).map { "{folder\($0)}/" }.joined()
            try router.register(.get, "/-/assets/\(folders){name}", .asset)
        }
        return router
    }
}

/// The fixed addresses below a base path.
struct Address: Hashable, Sendable {
    /// The beginning of every path: empty, or as in `/lists`.
    let base: String

    /// Creates the addresses below a base path.
    init(under basePath: BasePath = .root) { base = basePath.text }

    /// The directory of lists.
    var directory: String { base + "/" }

    /// The pattern of the description of the service.
    static let description = "/-/openapi.json"

    /// The description of the service.
    var description: String { base + Self.description }

    /// The directory in a format of its own.
    func directory(_ format: PageFormat) -> String { "\(base)/.\(format.rawValue)" }

    /// A list.
    func list(_ name: String) -> String {
        base + "/" + PercentEncoding.encode(name, for: .pathSegment)
    }

    /// A segment of a list; nil is the one shown when none is asked for.
    func segment(_ id: String?, of list: String) -> String {
        guard let id else { return self.list(list) }
        return self.list(list) + "?segment="
            + PercentEncoding.encode(id, for: .queryComponent)
    }

    /// The sections of a list.
    func sections(of list: String) -> String { self.list(list) + "/-/sections" }

    /// The columns and parameters of a list.
    func schema(of list: String) -> String { self.list(list) + "/-/schema" }

    /// Where many rows of a list are written.
    func rows(of list: String) -> String { self.list(list) + "/-/rows" }

    /// Where files of rows are imported into a list.
    func imports(of list: String) -> String { self.list(list) + "/-/import" }

    /// How far an import is.
    func imported(_ id: String, of list: String) -> String {
        imports(of: list) + "/" + PercentEncoding.encode(id, for: .pathSegment)
    }

    /// A path made of its decoded segments, freed of the suffix of the last one.
    func path(_ segments: [String], without suffix: PageFormat?) -> String {
        var segments = segments
        if suffix != nil, let last = segments.popLast() { segments.append(SuffixedName(last).name) }
        return base + segments.map { "/" + PercentEncoding.encode($0, for: .pathSegment) }.joined()
    }

    /// An address that an embedder gave: a path of this service, or an address of another one.
    func own(_ address: String) -> String {
        address.hasPrefix("/") && !address.hasPrefix("//") ? base + address : address
    }

    /// The explanation of a kind of problem.
    func problem(_ kind: ProblemKind) -> String { "\(base)/-/problems/\(kind.rawValue)" }

    /// A file that comes with the pages.
    func asset(_ hashedName: String) -> String {
        "\(base)/-/assets/" + PercentEncoding.encode(hashedName, for: .pathSegment)
    }

    /// Whether a path is that of a probe, which knows no credentials.
    static func isProbe(_ path: RequestPath) -> Bool {
        path.segments == ["-", "live"] || path.segments == ["-", "ready"]
    }
}
