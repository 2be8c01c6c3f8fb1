import Bytes
import HTTP
import ListAPITestSupport
import Listings
import Rendering
import TestSupport
import Testing

@testable import ListAPI

@Suite("Addresses that are written once are those that are written each time")
struct LinkCacheTests {
    private static func cursor(_ name: String) -> Cursor {
        let key = SectionKey.value(.text(name))
        return Cursor(signature: 7, section: key, row: .init(values: [.text(name), .integer(3)]))
    }

    private static let all: [PageLink] = {
        let names = ["Writer", "a b&c", "é", "e\u{301}", ""] + (0..<40).map { "s\($0)" }
        let ids = names.map { SectionID($0) }
        let keys = names.map { SectionKey.value(.text($0)) }
        return [.list, .current, .first, .sections, .schema, .refresh, .changes]
            + PageFormat.allCases.map { .alternate($0) }
            + names.prefix(6).flatMap { [.after(cursor($0)), .before(cursor($0))] }
            + ids.map { .section($0) }
            + ids.map { .sectionAfter($0, cursor($0.rawValue)) }
            + keys.map { .foldingSection($0) }
    }()

    private static func text(_ link: PageLink, of links: some PageLinks) -> String {
        var buffer = ByteBuffer()
        // What stands before an address is none of its business.
        buffer.append("?before " as StaticString)
        links.write(link, to: &buffer)
        return buffer.text()
    }

    @Test(
        "whatever is linked to, in whatever order, from whatever page",
        arguments: [
            "/users", "/users.html?limit=7&sort=-age", "/users?layout=grid&group=city",
            "/users/-/sections/Writer?limit=3", "/users/-/sections?limit=2&group=city",
            "/users?collapsed=Writer&per_section=2",
        ]
    )
    func same(target: String) throws {
        let service = try APIHandler([try .sampleUsers()], isDraining: { false })
        let request = try HTTPRequest(.get, target, fields: [(.accept, "text/html")])
        var call = service.loop.call(request)
        RequestDispatcher.respond(to: &call)
        let status = call.response.status
        try #require(status == .ok)
        let prepared = call.prepared
        let answer = try #require(prepared)
        for seed: UInt64 in 0..<4 {
            var generator = SeededGenerator(seed: seed)
            func links() -> ListLinks { ListLinks(answer.request, under: answer.addresses) }
            let known = links()
            for _ in 0..<2 {
                for link in Self.all.shuffled(using: &generator) {
                    let expected = Self.text(link, of: links())
                    #expect(Self.text(link, of: known) == expected, "\(link) of \(target)")
                }
            }
        }
    }
}
