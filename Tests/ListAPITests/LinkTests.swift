import ListAPITestSupport
import TestSupport
import Testing

@Suite("Links say where to go on, alike in the Link field and in the body")
struct LinkTests {
    @Test(
        "the Link field lists self, first, prev, next, the formats and the schema",
        arguments: [
            "/users", "/users.json?limit=7", "/users.html?limit=7", "/users?limit=7&sort=-age,city",
            "/users?group=lastName:initial&limit=9&page=3", "/users?per_section=2&limit=2",
            "/users?section=Writer&section=Engineer&limit=4&columns=city,age",
            "/users/-/sections/Writer?limit=3", "/users/-/sections?limit=1&group=city",
            "/users.csv?limit=7", "/users.ndjson?limit=50", "/users.csv", "/users.ndjson?sort=age",
        ]
    )
    func linkField(target: String) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            var next: String? = target
            var hasPrevious = target.contains("page=")
            for _ in 0..<3 {
                guard let address = next else { break }
                let answer = try client.get(address)
                #expect(answer.status == 200, "\(address)")
                let links = try LinkField(answer)
                let order = links.all.map(\.relation)
                let expected = [
                    "self", "first", "prev", "next", "last", "alternate", "describedby",
                ]
                #expect(order == expected.flatMap { name in order.filter { $0 == name } })
                #expect(order.filter { $0 == "self" || $0 == "first" }.count == 2)
                #expect((links["prev"] != nil) == hasPrevious, "\(address)")
                #expect(links["describedby"] == "/users/-/schema")
                try expectSame(links, asBodyOf: answer)
                for link in links.all {
                    #expect(try client.get(link.address).status == 200, "\(link.address)")
                }
                hasPrevious = true
                next = links["next"]
            }
        }
    }

    @Test(
        "the Link field stays short: what does not fit is left out, and stands in the body",
        arguments: [100, 700, 1_000, 3_700, 5_000]
    )
    func longAddresses(length: Int) throws {
        let client = try Client(samples: .inMemory)
        let word = String(repeating: "x", count: length)
        let target = "/users?limit=2&lastName__ne=\(word)"
        let answer = try client.get(target)
        #expect(answer.status == 200)
        #expect((answer.field("Link")?.utf8.count ?? 0) <= 4_096)
        let links = try LinkField(answer)
        #expect(links["describedby"] == "/users/-/schema")
        let next = try #require(try answer.json().link("next"))
        #expect(links["next"] == (length < 4_000 ? next : nil))
        #expect((links["self"] != nil) == (length < 700))
    }

    private func expectSame(_ links: LinkField, asBodyOf answer: Answer) throws {
        switch answer.mediaType {
        case "application/json":
            let body = try answer.json()
            for name in ["self", "first", "prev", "next", "last"] {
                #expect(body.link(name) == links[name], "\(name)")
            }
            for (type, name) in [("text/html", "html"), ("text/csv", "csv")] {
                guard let address = links.alternates[type] else { continue }
                #expect(body.link(name) == address)
            }
            #expect(body.link("schema") == links["describedby"])
            #expect(body["page", "after"]?.text == cursor(links["next"], "after"))
            #expect(body["page", "before"]?.text == cursor(links["prev"], "before"))
        case "text/html":
            let addresses = answer.htmlValues(of: "href")
            for link in links.all where !["self", "first", "last"].contains(link.relation) {
                #expect(addresses.contains(link.address), "\(link)")
            }
        default: break
        }
    }

    private func cursor(_ address: String?, _ name: String) -> String? {
        address?.split(separator: "\(name)=").dropFirst().first.map { rest in
            String(rest.prefix { $0 != "&" })
        }
    }

    @Test(
        "an address is canonical: what is the list's own choice is left out, the rest in one order",
        arguments: [
            ("/users", "/users"),
            ("/users?", "/users"),
            ("/users?&&", "/users"),
            ("/users?limit=50&sort=lastName,firstName&group=occupation&page=1", "/users"),
            ("/users?limit=050", "/users"),
            ("/users?columns=age&sort=-age&limit=5", "/users?sort=-age&columns=age&limit=5"),
            ("/users?page=2&limit=5&group=none", "/users?group=none&limit=5&page=2"),
            ("/users?sort=age:nullslast", "/users?sort=age"),
            ("/users?sort=-age:nullsfirst,id", "/users?sort=-age:nullsfirst,id"),
            ("/users?section=Writer&section=Writer", "/users?section=Writer"),
            ("/users?group=city&section=~", "/users?group=city&section=~"),
            ("/users?group=city&section=T%C3%BCbingen", "/users?group=city&section=T%C3%BCbingen"),
            ("/users?group=city&section=New+York", "/users?group=city&section=New%20York"),
            ("/users?per_section=5", "/users?per_section=5"),
            ("/users?per_section=5&limit=20", "/users?per_section=5"),
            ("/users?per_section=100", "/users?per_section=100"),
            ("/users?per_section=100&limit=4", "/users?per_section=100&limit=4"),
            ("/users/-/sections?limit=20", "/users/-/sections"),
            ("/users.json?limit=50", "/users.json"),
            ("/users.csv?limit=50", "/users.csv?limit=50"),
            ("/users/3?columns=city", "/users/3?columns=city"),
            ("/users?utm_source=mail&utm_x=%2F&fbclid=1&gclid=2&limit=5", "/users?limit=5"),
            ("/users/3?utm_campaign=x", "/users/3"),
            ("/users?_=1&msclkid=2&dclid=3&ref=a&limit=5", "/users?limit=5"),
            ("/users?mc_cid=1&mc_eid=2&igshid=3&yclid=4", "/users"),
            ("/users/-/schema?fbclid=x", "/users/-/schema"),
        ]
    )
    func canonical(target: String, address: String) throws {
        for way in Way.allCases {
            let answer = try Client(samples: way).get(target)
            // Not every section named above is among the samples.
            guard answer.status == 200 else {
                #expect(try answer.json()["errors"]?.elements.count == 1)
                continue
            }
            let link = answer.mediaType == "text/csv" ? nil : try answer.json().link("self")
            #expect(try link ?? LinkField(answer)["self"] == address)
            #expect(!answer.body.contains("utm_") && !answer.body.contains("clid"))
        }
    }
}

/// The Link field of an answer (RFC 8288).
struct LinkField {
    struct Link {
        var address: String
        var relation: String
        var type: String?
    }

    let all: [Link]

    init(_ answer: Answer) throws {
        let field = try #require(answer.field("Link"))
        all = field.matches(of: /<([^>]*)>; rel="(\w+)"(?:; type="([^"]*)")?(?:, |$)/).map {
            Link(
                address: String($0.1),
                relation: String($0.2),
                type: $0.3.map(String.init)
            )
        }
        // Nothing but links stands in the field.
        let length = field.matches(of: /<[^>]*>; rel="\w+"(; type="[^"]*")?(, |$)/)
            .reduce(0) { $0 + $1.output.0.count }
        #expect(length == field.count, "\(field)")
    }

    /// The address of the only link with a relation.
    subscript(_ relation: String) -> String? {
        let links = all.filter { $0.relation == relation }
        return links.count == 1 ? links[0].address : nil
    }

    var alternates: [String: String] {
        var alternates: [String: String] = [:]
        for link in all where link.relation == "alternate" {
            if let type = link.type { alternates[type] = link.address }
        }
        return alternates
    }
}
