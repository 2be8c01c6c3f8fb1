import Foundation
import TestSupport
import Testing

struct Crawler {
    /// Addresses of one shape are followed once: of the same path and names of parameters.
    private struct Shape: Hashable {
        let path: Substring
        let names: [Substring]

        init(_ address: String) {
            let parts = address.split(separator: "?", maxSplits: 1)
            path = parts.first ?? ""
            names = parts.dropFirst().flatMap { $0.split(separator: "&") }
                .map { $0.prefix { $0 != "=" } }.sorted()
        }
    }

    let base: String
    let depth: Int
    let get: (_ address: String) throws -> RawResponse

    private(set) var visited: [String] = []
    private(set) var strays: [String] = []
    /// The addresses that were not answered by 2xx or 3xx, with their statuses.
    private(set) var broken: [String] = []
    private var shapes: Set<Shape> = []

    init(base: String, depth: Int, get: @escaping (_ address: String) throws -> RawResponse) {
        self.base = base
        self.depth = depth
        self.get = get
    }

    mutating func visit(_ addresses: [String]) throws {
        var next = addresses.filter { shapes.insert(Shape($0)).inserted }
        for _ in 0...depth {
            var found: [String] = []
            for address in next {
                visited.append(address)
                let response = try get(address)
                if !(200..<400).contains(response.status) {
                    broken.append("\(response.status) \(address)")
                }
                for link in links(of: response, at: address)
                where shapes.insert(Shape(link)).inserted {
                    found.append(link)
                }
            }
            next = found
        }
    }

    /// The links of an answer below the base path that GET is for; the others are noted.
    mutating func links(of response: RawResponse, at address: String) -> [String] {
        var (links, others) = Self.links(of: response)
        for name in ["Location", "Content-Location"] {
            if let value = response.field(name) { links.append(value) }
        }
        let fields = response.field("Link") ?? ""
        links += fields.matches(of: /<([^>]*)>/).map { String($0.1) }
        func isInside(_ link: String) -> Bool { link.hasPrefix(base + "/") }
        strays += (links + others).filter { !isInside($0) }.map { "\($0) at \(address)" }
        others.removeAll()
        return links.filter(isInside).map { String($0.prefix { $0 != "#" }) }
    }

    private static func links(of response: RawResponse) -> (gets: [String], others: [String]) {
        let type = response.field("Content-Type") ?? ""
        if type.hasPrefix("text/html") { return links(ofPage: response.text) }
        guard type.contains("json"), !type.contains("ndjson"),
            let document = try? JSONSerialization.jsonObject(with: Data(response.body))
        else { return ([], []) }
        if let description = document as? [String: Any], description["openapi"] != nil {
            return links(ofDescription: description)
        }
        var (gets, others): ([String], [String]) = ([], [])
        collect(document, nil, &gets, &others)
        return (gets, others)
    }

    private static func links(ofPage text: String) -> (gets: [String], others: [String]) {
        var (gets, others): ([String], [String]) = ([], [])
        let version = text.firstMatch(of: /data-version="([^"]*)"/).map { String($0.1) }
        for tag in text.matches(of: /<([a-z]+)( [^>]*)>/) {
            let isPost = tag.2.contains("method=\"post\"")
            for attribute in tag.2.matches(of: /([a-z-]+)="(\/[^"]*)"/) {
                var link = String(attribute.2).replacing("&amp;", with: "&")
                if attribute.1 == "aria-keyshortcuts" { continue }
                if attribute.1 == "data-changes" {
                    // As the script of the page does.
                    link += (link.contains("?") ? "&" : "?") + "since=\(version ?? "")"
                }
                let isAction = attribute.1 == "formaction" || attribute.1 == "data-move"
                if isPost || isAction { others.append(link) } else { gets.append(link) }
            }
        }
        return (gets, others)
    }

    /// The paths without parameters that have a GET, and the types of problems.
    private static func links(
        ofDescription document: [String: Any]
    ) -> (gets: [String], others: [String]) {
        let servers = document["servers"] as? [[String: String]] ?? []
        let server = servers.first?["url"] ?? "no server"
        let base = server == "/" ? "" : server
        let paths = document["paths"] as? [String: [String: Any]] ?? [:]
        let components = document["components"] as? [String: Any] ?? [:]
        let shared = components["parameters"] as? [String: [String: Any]] ?? [:]
        let gets = paths.filter { path, methods in
            guard let get = methods["get"] as? [String: Any], !path.contains("{") else {
                return false
            }
            let parameters = get["parameters"] as? [[String: Any]] ?? []
            return !parameters.contains { parameter in
                let name = (parameter["$ref"] as? String)?.split(separator: "/").last
                let meant = name.flatMap { shared[String($0)] } ?? parameter
                return meant["required"] as? Bool ?? false
            }
        }.keys.sorted()
        var (found, others): ([String], [String]) = ([], [])
        collect(components, nil, &found, &others)
        return (gets.map { base + $0 }, found + others)
    }

    /// Collects the paths among the values of a document; those of actions are not for GET.
    private static func collect(
        _ value: Any,
        _ name: String?,
        _ gets: inout [String],
        _ others: inout [String]
    ) {
        switch value {
        case let object as [String: Any]:
            let isAction = object["method"] != nil
            for (name, member) in object where name != "pointer" && name != "pattern" {
                if isAction, name == "href", let link = member as? String {
                    others.append(link)
                } else {
                    collect(member, name, &gets, &others)
                }
            }
        case let array as [Any]: for member in array { collect(member, name, &gets, &others) }
        case let text as String where text.hasPrefix("/"):
            // What is written to is named in the schema.
            if ["rows", "import", "refresh"].contains(name) {
                others.append(text)
            } else {
                gets.append(text)
            }
        default: break
        }
    }
}
