import Foundation
import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("Cursors are taken back only where they were given out")
struct CursorParameterTests {
    private static let manglings: [(String, @Sendable (String) -> String)] = [
        ("x", { _ in "x" }), ("a few bytes", { _ in "AQAA" }), ("a blank", { _ in "%20" }),
        ("too short", { String($0.dropLast()) }), ("too long", { $0 + "A" }),
        ("padded", { $0 + "=" }), ("reversed", { String($0.reversed()) }),
        ("in lower case", { $0.lowercased() }),
        ("far too long", { _ in String(repeating: "A", count: 4000) }),
    ]

    @Test("a mangled cursor is refused with the way back to the start", arguments: manglings)
    func mangled(fault: String, mangle: @Sendable (String) -> String) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            let cursor = mangle(try nextCursor(of: "/users?limit=5", client))
            for name in ["after", "before"] {
                let rest = "&sort=lastName,firstName"
                let answer = try client.get("/users?limit=5&\(name)=\(cursor)\(rest)")
                try expectInvalid(answer, name)
                #expect(try answer.json().link("first") == "/users?limit=5\(rest)")
            }
        }
    }

    @Test("before=end is the last page, in each order, section and shape, and leads back")
    func end() throws {
        let client = try Client(samples: .inMemory)
        for query in [
            "limit=7", "sort=-lastName&limit=7", "group=none&q=a&limit=5", "section=Writer&limit=2",
            "per_section=2&limit=3", "limit=500", "q=nobody-has-this-name",
        ] {
            var address: String? = "/users?" + query
            var rows: [ShownRow] = []
            while let next = address {
                let page = try client.get(next).json()
                rows += page.rows
                address = page.link("next")
            }
            let start = try client.get("/users?" + query)
            let end = try #require(try start.json().link("last"))
            #expect(end.contains("before=end"))
            #expect(start.field("Link")?.contains("<\(end)>; rel=\"last\"") == true)
            let last = try client.get(end).json()
            #expect(last.rows == rows.suffix(last.rows.count), "\(query)")
            #expect(last.rows.isEmpty == rows.isEmpty)
            #expect(last.link("next") == nil)
            guard let back = last.link("prev") else { continue }
            let before = try client.get(back).json()
            let rest = rows.dropLast(last.rows.count)
            #expect(before.rows == rest.suffix(before.rows.count), "\(query)")
        }
        try expectInvalid(try client.get("/users?before=end~5"), "before")
        try expectInvalid(try client.get("/users?after=end"), "after")
    }

    private static func client(_ letters: String) throws -> Client {
        var options = ServiceOptions()
        let secrets = letters.utf8.map { [UInt8](repeating: $0, count: 32) }
        options.cursorKeys = try #require(CursorKeys(secrets))
        return try Client([try ListDefinition.sampleUsers()], options: options)
    }

    @Test("signed cursors are good at every server with the secret, and expire with it")
    func signed() throws {
        let old = try Self.client("a")
        let address = "/users?limit=5&after=" + (try nextCursor(of: "/users?limit=5", old))
        let page = try old.get(address)
        #expect(page.status == 200)
        // Another server, and one whose secret is being changed.
        for letters in ["a", "ba"] {
            #expect(try Self.client(letters).get(address).json().rows == page.json().rows)
        }
        for client in [try Self.client("b"), try Client(samples: .inMemory)] {
            let answer = try client.get(address)
            #expect(answer.status == 410)
            #expect(try answer.json()["type"]?.text == "/-/problems/cursor-expired")
            #expect(try answer.json().link("first") == "/users?limit=5")
        }
        let changed = address.dropLast(2) + (address.hasSuffix("AA") ? "BB" : "AA")
        try expectInvalid(try old.get(String(changed)), "after")
        // Sections have links of their own, and those before lead back.
        let links = try Self.client("a").get("/users?per_section=1&limit=2").json()
        let next = try #require(links.link("next"))
        let back = try #require(try old.get(next).json().link("prev"))
        #expect(try old.get(back).status == 200)
    }

    @Test(
        "a cursor of another order, grouping, mode or section is refused",
        arguments: InputRow.table(
            """
            /users?limit=5
              /users?limit=5&sort=age
              /users?limit=5&sort=lastName
              /users?limit=5&sort=-lastName,firstName
              /users?limit=5&sort=lastName:nullsfirst,firstName
              /users?limit=5&group=none
              /users?limit=5&group=city
              /users?limit=5&section=Writer
              /users/-/sections/Writer?limit=5
              /items?limit=5
            /users?limit=5&group=city
              /users?limit=5&group=city:initial
            /users?limit=5&section=Writer
              /users?limit=5
              /users?limit=5&section=Engineer
              /users?limit=5&section=Writer&section=Engineer
            /users?limit=2&per_section=2
              /users?limit=2
            /users?limit=2
              /users?limit=2&per_section=2
            """
        )
    )
    func foreign(_ row: InputRow) throws {
        for way in Way.allCases {
            let client = try Client(
                [try ListDefinition.sampleUsers(), try .items(.numbered(20))],
                way
            )
            let cursor = try nextCursor(of: row.input, client)
            for target in row.expected {
                try expectInvalid(try client.get("\(target)&after=\(cursor)"), "after", target)
            }
        }
    }

    @Test(
        "a cursor serves other limits and columns, and sections in any order",
        arguments: InputRow.table(
            """
            /users?limit=5
              /users?limit=7
              /users?limit=5&columns=city
              /users?limit=5&sort=lastName,firstName,id
            /users?limit=5&section=Writer&section=Engineer
              /users?limit=5&section=Engineer&section=Writer
            """
        )
    )
    func served(_ row: InputRow) throws {
        let client = try Client(samples: .inMemory)
        let cursor = try nextCursor(of: row.input, client)
        for target in row.expected {
            #expect(try client.get("\(target)&after=\(cursor)").status == 200, "\(target)")
        }
    }

    @Test("a cursor of an unknown format or key is gone, not wrong", arguments: Way.allCases)
    func expired(way: Way) throws {
        let client = try Client(samples: way)
        let cursor = try nextCursor(of: "/users?limit=5", client)
        for byte in [0, 1] {
            // A key's signature has eight bytes, four more than a checksum.
            let old = try rewritten(cursor) { bytes in
                bytes[byte] = 9
                if byte == 1 { bytes += [0, 0, 0, 0] }
            }
            let answer = try client.get("/users?limit=5&before=\(old)")
            #expect(answer.status == 410)
            let problem = try answer.json()
            #expect(problem["type"]?.text == "/-/problems/cursor-expired")
            #expect(problem["status"]?.integer == 410)
            #expect(problem["detail"]?.text == "The cursor in 'before' is no longer accepted.")
            #expect(problem["errors"]?.elements.first?["code"]?.text == "cursor-expired")
            #expect(problem.link("first") == "/users?limit=5")
        }
    }

    private func nextCursor(of target: String, _ client: Client) throws -> String {
        try #require(try client.get(target).json()["page", "after"]?.text)
    }

    private func expectInvalid(_ answer: Answer, _ name: String, _ target: String = "") throws {
        #expect(answer.status == 400, "\(target)")
        let problem = try answer.json()
        #expect(problem["type"]?.text == "/-/problems/invalid-cursor", "\(target)")
        #expect(problem["title"]?.text == "Invalid cursor")
        let detail =
            "The cursor in '\(name)' is malformed or belongs to another list, order or grouping."
        #expect(problem["detail"]?.text == detail)
        let error = try #require(problem["errors"]?.elements.first)
        #expect(error["parameter"]?.text == name)
        #expect(error["code"]?.text == "invalid-cursor")
        #expect(problem.link("first") != nil)
    }

    /// A cursor with other bytes and a checksum that fits them (FNV-1a, RFC 9923).
    private func rewritten(_ cursor: String, _ change: (inout [UInt8]) -> Void) throws -> String {
        let base64 = cursor.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        let data = try #require(Data(base64Encoded: base64 + padding))
        var bytes = Array(data.dropLast(4))
        change(&bytes)
        let sum = bytes.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> UInt32($0)) }
        return Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
