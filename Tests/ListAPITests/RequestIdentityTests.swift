import Bytes
import Foundation
import HTTP
import ListAPITestSupport
import Listings
import Rendering
import TestSupport
import Testing

@testable import ListAPI

/// `IDENTITY_REQUESTS` is the number of random requests, 2,000 without it.
@Suite("An address and the request that it stands for are the same")
struct RequestIdentityTests {
    private static let count =
        ProcessInfo.processInfo.environment["IDENTITY_REQUESTS"].flatMap(Int.init) ?? 2_000

    /// A service whose addresses are parsed and written.
    private struct Parser {
        let service: APIHandler

        init(_ lists: [ListDefinition]) throws {
            service = try APIHandler(lists, isDraining: { false })
        }

        /// Returns the request that an address stands for; nil if it is refused, or of no list.
        func request(_ target: String, accept: String? = nil) throws -> ListRequest? {
            let fields = accept.map { [(name: FieldName.accept, value: $0)] } ?? []
            let request = try HTTPRequest(.get, target, fields: fields)
            var call = service.loop.call(request)
            let kinds: Set<Route> = [.list, .row, .view, .section]
            guard case .found(let route, _) = call.findRoute(), kinds.contains(route) else {
                return nil
            }
            let found = try? ListResource(in: &call)
            guard let resource = found, resource.place != .changes else { return nil }
            let choice = try? call.choose(among: resource.formats, suffix: resource.suffix)
            guard let choice else { return nil }
            var parameters = ListParameters(request, at: resource)
            let reader = EmbeddingReader(
                service.loop.service.relations,
                of: resource.endpoint.definition.name,
                for: nil
            )
            return ListRequest(
                parsing: &parameters,
                at: resource,
                as: choice,
                embedding: reader
            )
        }

        /// Checks that the address of a request stands for it; returns whether there was one.
        func check(_ target: String, accept: String? = nil) throws -> Bool {
            guard let parsed = try request(target, accept: accept) else { return false }
            var address = ByteBuffer()
            parsed.write(to: &address)
            let again = try request(address.text(), accept: accept)
            #expect(again == parsed, "\(target) became \(address.text())")
            var second = ByteBuffer()
            again?.write(to: &second)
            #expect(second.text() == address.text(), "\(target)")
            return true
        }
    }

    @Test("addresses of the replayed requests")
    func replayed() throws {
        let lists = try ReplayLists()
        let parser = try Parser(lists.lists + [.sampleUsers()])
        let requests: [ReplayRequest] =
            .gallery + .arranged + .edges + .short + .desk + .tree + .parts + .empty + .users
        var checked = 0
        for request in requests where request.method == "GET" {
            let accept = request.fields.first { $0.name == "Accept" }?.value
            if try parser.check(request.target, accept: accept) { checked += 1 }
        }
        #expect(checked > 150)
    }

    @Test("random addresses", arguments: [UInt64(1), 2])
    func random(seed: UInt64) throws {
        let lists = try ReplayLists()
        let parser = try Parser(lists.lists + [.sampleUsers()])
        var addresses = RandomAddresses(seed: seed)
        var checked = 0
        for _ in 0..<Self.count / 2 where try parser.check(addresses.next()) { checked += 1 }
        #expect(checked > Self.count / 6)
    }
}

/// Random addresses of some lists, most of which are valid.
private struct RandomAddresses {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    private mutating func isChosen(_ chance: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < chance
    }

    mutating func next() -> String {
        let users = isChosen(0.6)
        let columns =
            users
            ? ["firstName", "lastName", "occupation", "city", "age", "joined", "email"]
            : ["name", "size", "ratio", "ok", "day", "any"]
        let list = users ? "users" : one(of: ["gallery", "arranged"])
        let path = one(of: ["", "", "", "/-/sections", "/-/sections/Writer", "/12"])
        let suffix = one(of: ["", "", ".json", ".html", ".csv", ".ndjson", ".xlsx"])
        let isSegment = path.hasPrefix("/-/sections")
        let isRow = path == "/12"
        var items: [String] = []
        if !isRow { items += conditions(columns) }
        if isChosen(0.3), !isSegment { items.append("columns=" + names(columns)) }
        if !isRow { items += rows(columns, isIndex: path == "/-/sections") }
        if isChosen(0.1) { items.append("pretty=1") }
        items.shuffle(using: &generator)
        return "/\(list)\(path)\(suffix)" + (items.isEmpty ? "" : "?")
            + items.joined(separator: "&")
    }

    private mutating func names(_ columns: [String]) -> String {
        columns.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator))
            .joined(separator: ",")
    }

    private mutating func conditions(_ columns: [String]) -> [String] {
        var items: [String] = []
        for column in columns where isChosen(0.15) {
            items.append(
                column
                    + one(of: [
                        "__isnull=true", "__isnull=false", "=3", "=%22a%22", "__ne=2021-05-06",
                        "__in=1,2,2", "__in=%22a,b%22,c", "__gte=2", "__is=~", "__startswith=A",
                    ])
            )
        }
        if isChosen(0.1) { items.append("q=" + one(of: ["an", "a+b", "%22de+la%22", "%C3%A9"])) }
        if isChosen(0.1) {
            let column = one(of: columns)
            items.append(
                one(of: [
                    "or=(\(column)=1,\(column)__isnull=true)",
                    "not=(\(column)__isnull=true,or(\(column)=1,\(column)=2))",
                    "or=(and(\(column)=1,\(column)=2),not(\(column)__in=(1,2)))",
                    "not=(not(\(column)=1))", "or=(\(column)=%22a,b%22)",
                ])
            )
        }
        return items
    }

    private mutating func rows(_ columns: [String], isIndex: Bool) -> [String] {
        var items: [String] = []
        if isChosen(0.3) {
            items.append(
                "group=" + one(of: ["none", one(of: columns), "\(one(of: columns)):initial"])
            )
        }
        if isChosen(0.4) { items.append("limit=\(one(of: [1, 5, 20, 50]))") }
        if isChosen(0.3) {
            items.append(one(of: ["page=1", "page=3", "offset=7", "offset=100", "jump=M"]))
        }
        if isChosen(0.2) { items.append("count=" + one(of: ["none", "capped", "exact"])) }
        if isChosen(0.1) { items.append("\(one(of: ["sum", "avg", "max"]))=\(names(columns))") }
        guard !isIndex else { return items }
        if isChosen(0.3) {
            let order = ["", "-"].map { $0 + one(of: columns) + one(of: ["", ":nullsfirst"]) }
            items.append("sort=" + one(of: [order[0], order[1], order.joined(separator: ",")]))
        }
        if isChosen(0.1) { items.append("facets=" + one(of: ["?", names(columns)])) }
        if isChosen(0.1) { items.append("statistics=" + one(of: columns)) }
        if isChosen(0.1) { items.append("layout=" + one(of: ["grid", "table"])) }
        if isChosen(0.1) { items.append("per_section=\(one(of: [1, 3]))") }
        if isChosen(0.1) { items.append("section=" + one(of: ["Writer", "~", ""])) }
        if isChosen(0.1) { items.append("collapsed=Writer") }
        if isChosen(0.1) { items.append(one(of: ["bom=1", "shape=array", "shape=objects"])) }
        if isChosen(0.05) { items.append("around=12") }
        return items
    }
}
