import Bytes
import HTTP
import HTTPServer
import Listings
import Rendering

struct OpenAPIDocument {
    let title: String
    var addresses = Address()
    let lists: [ListDescription]
    let routes: [Route.Entry]
    /// The parameters of files for lists.
    let creation: [(name: String, summary: String)]
    let security: OpenAPISecurity

    var content: StaticContent {
        var buffer = part.text
        buffer.append(UInt8(ascii: "\n"))
        return StaticContent(rendered: buffer, .json)
    }

    var part: JSONPart {
        [
            "openapi": "3.1.0",
            "info": [
                "title": .text(title), "version": .text(RosterVersion.current),
                "description": .text(Self.description),
            ],
            "tags": .array(
                lists.map { ["name": .text($0.name), "description": .text($0.summary)] }
                    + [["name": "Service"]]
            ),
            "servers": [["url": .text(addresses.base.isEmpty ? "/" : addresses.base)]],
            "paths": paths,
            "components": [
                "schemas": merged(OpenAPISchemas.all, \.schemas),
                "parameters": merged(OpenAPIFields.parameters, \.parameters),
                "headers": OpenAPIFields.headers,
                "responses": merged(OpenAPIResponses.all(addresses), \.responses),
                "securitySchemes": security.schemes,
            ],
        ]
    }

    private func merged(
        _ shared: JSONPart,
        _ own: KeyPath<ListDescription, JSONPart>
    ) -> JSONPart {
        var names = Set(shared.members.map(\.name))
        let members = lists.flatMap { $0[keyPath: own].members }
        return .object(shared.members + members.filter { names.insert($0.name).inserted })
    }

    private static let suffixes =
        PageFormat.allCases.map { "`.\($0.rawValue)`" }.joined(separator: ", ")

    private static let description = """
        Lists in sections. `Accept`, or a suffix of the last segment, selects the format: \
        \(suffixes). An invalid request gets a problem (RFC 9457). Every address allows `HEAD` and \
        `OPTIONS`. A cursor (`after`, `before`) comes from a page, and is valid for its list, \
        order, grouping and conditions. Use one of `after`, `before`, `page` and `jump`. A request has at \
        most \(ListParameters.maximumFilters) conditions.
        """

    private var paths: JSONPart {
        var order: [String] = []
        var methods: [String: [(String, JSONPart)]] = [:]
        for entry in routes {
            for (path, operation) in operations(entry) {
                if methods[path] == nil { order.append(path) }
                let method = entry.method.name.lowercased()
                let secured = security.applied(to: operation, entry)
                methods[path, default: []].append((method, secured.part))
            }
        }
        return JSONPart(order.map { ($0, JSONPart(methods[$0] ?? [])) })
    }

    private func operations(_ entry: Route.Entry) -> [(String, OpenAPIOperation)] {
        if let operation = OpenAPIOperation.service(entry, creation) {
            return [(entry.pattern, operation)]
        }
        return lists.flatMap { $0.operations(entry) }
    }
}

enum OpenAPIFields {
    static func reference(_ name: String) -> JSONPart {
        ["$ref": "#/components/parameters/\(name)"]
    }

    static let parameters = JSONPart(
        [
            (
                "If-None-Match",
                "On reading: 304 if the state has one of these entity tags."
            ),
            ("If-Match", "Writes only where the row is at one of these entity tags."),
            (
                "Idempotency-Key",
                "Names the request: a repeated request gets the same response for a day."
            ),
            (
                "Prefer",
                "`count=none|capped|exact|estimated` on reading, `wait=SECONDS` on changes; `return=minimal|representation` and "
                    + "`handling=lenient` on writing (RFC 7240)."
            ),
        ].map { name, text in
            let schema: JSONPart =
                name == "Idempotency-Key"
                ? ["type": "string", "pattern": "^[!#-~]+$", "maxLength": 255]
                : ["type": "string"]
            return (
                name,
                ["name": .text(name), "in": "header", "description": .text(text), "schema": schema]
            )
        }
    )

    static let headers = JSONPart(
        [
            ("Content-Disposition", "The file name of a download (RFC 6266)."),
            ("ETag", "Names the state: weakly that of a list, strongly that of a row."),
            ("Link", "The addresses of related pages (RFC 8288)."),
            ("Location", "Where the new row is."),
            ("X-Request-Id", "Names the request, as the log does."),
            ("X-Total-Count", "The number of rows, for `shape`."),
            ("X-Total-Relation", "`gte` or `estimate`, where the number is not exact."),
        ].map { ($0, ["description": .text($1), "schema": ["type": "string"]]) }
    )
}

/// Callers with the same rights share a description.
struct DescribedRights: Hashable, Sendable {
    static let maximumCount = 16

    private let basePath: String
    private let mayOperate: Bool
    private let mayCreate: Bool
    private let readable: Set<String>
    private let writable: Set<String>

    init(_ caller: Caller?, below basePath: String) {
        self.basePath = basePath
        mayOperate = caller?.mayOperate ?? true
        mayCreate = caller?.mayCreate ?? true
        readable = caller?.readableLists ?? []
        writable = caller?.writableLists ?? []
    }
}

struct OpenAPISecurity {
    private let takesTokens: Bool
    private let isOpen: Bool
    private let limitsRate: Bool

    init(_ options: ServiceOptions) {
        takesTokens = options.access != nil && options.identification == nil
        isOpen = options.access?.isOpen ?? true
        limitsRate = options.limitsRate
    }

    var schemes: JSONPart {
        guard takesTokens else { return [:] }
        return ["token": ["type": "http", "scheme": "bearer"]]
    }

    func applied(to operation: OpenAPIOperation, _ entry: Route.Entry) -> OpenAPIOperation {
        var operation = operation
        var refusals = limitsRate ? [429] : []
        switch entry.route {
        case .live, .ready:
            if takesTokens { operation.security = [] }
            return operation
        case .problem:
            if takesTokens { operation.security = [] }
        default:
            guard takesTokens else { break }
            let isOptional = isOpen && entry.method.isReading && entry.route != .metrics
            operation.security = isOptional ? [[:], ["token": []]] : [["token": []]]
            refusals += [401, 403]
        }
        return operation.refusing(refusals)
    }
}
