import Bytes
package import HTTP
import Listings
import Rendering

/// The routes of the service; only this file and ``ListRequest`` know its addresses.
enum Route: Hashable, Sendable {
    case directory
    /// A file that was checked for a list.
    case draft
    case list
    case row
    /// A view of the list below `/-/`, such as the sections or the schema.
    case view
    case section
    case refresh
    case rows
    case importing
    case imported
    case rowAction
    case cell
    case bulkAction
    case live
    case ready
    case version
    case metrics
    case lists
    case asset
    case problem
    case description
    case documentation
    /// A route of the embedding program, by its position among them.
    case program(Int)

    typealias Entry = (method: HTTPMethod, pattern: String, route: Route)

    static let table: [Entry] = [
        (.get, "/", .directory),
        (.post, "/", .directory),
        (.get, "/-/new/{draft}", .draft),
        (.post, "/-/new/{draft}", .draft),
        (.get, "/{list}", .list),
        (.post, "/{list}", .list),
        (.get, "/{list}/{row}", .row),
        (.put, "/{list}/{row}", .row),
        (.patch, "/{list}/{row}", .row),
        (.delete, "/{list}/{row}", .row),
        (.post, "/{list}/-/rows", .rows),
        (.post, "/{list}/-/import", .importing),
        (.get, "/{list}/-/import/{import}", .imported),
        (.post, "/{list}/-/import/{import}", .imported),
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
        (.get, Address.documentation, .documentation),
        (.get, "\(Address.documentation)/{page}", .documentation),
        (.get, "/-/assets/{name}", .asset),
        (.get, "/-/problems/{kind}", .problem),
    ]

    static func router(
        and routes: [ProgramRoute] = []
    ) throws(RoutingError) -> Router<Route> {
        var router = Router<Route>()
        for entry in table { try router.register(entry.method, entry.pattern, entry.route) }
        // The depth matches the maximum depth of a public folder.
        for depth in 1..<8 {
            let folders = (0..<depth).map { "{folder\($0)}/" }.joined()
            try router.register(.get, "/-/assets/\(folders){name}", .asset)
        }
        for format in DocumentationFormat.allCases {
            try router.register(.get, Address.documentation + format.suffix, .documentation)
        }
        for (position, route) in routes.enumerated() {
            try router.register(route.method, route.pattern, .program(position))
        }
        return router
    }
}

package struct Address: Hashable, Sendable {
    /// The prefix of every path: empty, or as in `/lists`.
    let base: String

    package init(under basePath: BasePath = .root) { base = basePath.text }

    static let root = Address()

    package var directory: String { base + "/" }

    func draft(_ id: String) -> String { "\(base)/-/new/\(id)" }

    static let description = "/-/openapi.json"

    var description: String { base + Self.description }

    static let documentation = "/-/docs"

    /// Returns the address of a page of the documentation; nil is the index.
    func documentation(_ page: String? = nil, _ format: DocumentationFormat? = nil) -> String {
        base + Self.documentation + (page.map { "/\($0)" } ?? "") + (format?.suffix ?? "")
    }

    func directory(_ format: PageFormat) -> String { "\(base)/.\(format.rawValue)" }

    package func list(_ name: String) -> String {
        base + "/" + PercentEncoding.encode(name, for: .pathSegment)
    }

    func row(_ value: String, of relation: ListRelation) -> String {
        guard let key = relation.key else { return row(value, of: relation.target) }
        return rows(of: relation.target, where: key, is: value)
    }

    func row(_ id: String, of list: String) -> String {
        // The suffix of a format wins over an id that ends with one.
        let isPlain = FormatSuffix(id).format == nil && !FormatSuffix.needsSuffix(id)
        let suffix = isPlain ? "" : ".\(PageFormat.html.rawValue)"
        return "\(self.list(list))/\(PercentEncoding.encode(id, for: .pathSegment))\(suffix)"
    }

    func rows(of list: String, where column: String, is value: String) -> String {
        let name = PercentEncoding.encode(column, for: .queryComponent)
        return "\(self.list(list))?\(name)=\(PercentEncoding.encode(value, for: .queryComponent))"
    }

    /// Returns the address of a segment of a list; nil is the default segment.
    func segment(_ id: String?, of list: String) -> String {
        guard let id else { return self.list(list) }
        return self.list(list) + "?segment="
            + PercentEncoding.encode(id, for: .queryComponent)
    }

    func sections(of list: String) -> String { self.list(list) + "/-/sections" }

    func schema(of list: String) -> String { self.list(list) + "/-/schema" }

    func rows(of list: String) -> String { self.list(list) + "/-/rows" }

    func imports(of list: String) -> String { self.list(list) + "/-/import" }

    /// The name of the address for checking a file, which no import has.
    static let preview = "preview"

    func imported(_ id: String, of list: String) -> String {
        imports(of: list) + "/" + PercentEncoding.encode(id, for: .pathSegment)
    }

    func path(_ segments: [String], without suffix: PageFormat?) -> String {
        var segments = segments
        if suffix != nil, let last = segments.popLast() { segments.append(FormatSuffix(last).name) }
        return base + segments.map { "/" + PercentEncoding.encode($0, for: .pathSegment) }.joined()
    }

    /// Returns an address of an embedder: a path of this service, or an address of another one.
    func own(_ address: String) -> String {
        address.hasPrefix("/") && !address.hasPrefix("//") ? base + address : address
    }

    func problem(_ kind: ProblemKind) -> String { "\(base)/-/problems/\(kind.name)" }

    func asset(_ hashedName: String) -> String {
        "\(base)/-/assets/" + PercentEncoding.encode(hashedName, for: .pathSegment)
    }

    /// Whether a path is that of a probe, which needs no credentials.
    static func isProbe(_ path: RequestPath) -> Bool {
        isLive(path) || path.segments == ["-", "ready"]
    }

    static func isLive(_ path: RequestPath) -> Bool { path.segments == ["-", "live"] }
}
