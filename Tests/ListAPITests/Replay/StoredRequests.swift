import ListAPITestSupport

extension [ReplayRequest] {
    static let users: [ReplayRequest] = [
        .get("/users").again, .get("/users", .html).again, .get("/users.csv"),
        .get("/users.ndjson?limit=5"), .get("/users?utm_s=1"),
        .get("/users?utm_s=2&limit=50&fbclid=1"),
        .get("/users?limit=7").following("next", "next", "prev", "changes"),
        .get("/users?age__gte=1&age__ne=30&limit=3"), .get("/users?q=a&limit=3"),
        .get("/users?q=ad&limit=3"), .get("/users?q=ada&limit=3"),
        .get("/users?sort=-joined&limit=5").following("next"),
        .get("/users?group=city&per_section=1&limit=5"), .get("/users?group=none&sort=id&limit=4"),
        .get("/users?section=Writer&columns=age,joined"), .get("/users?facets=occupation&limit=1"),
        .get("/users?sort=lastName&group=none&jump=M&limit=2"), .get("/users/-/sections"),
        .get("/users/-/sections/Writer?limit=3"), .get("/users/3"), .get("/users/3.html"),
        .get("/users.html?limit=3&layout=grid", fields: german), .get("/users/-/schema"),
        .get("/users.json?limit=10", fields: gzip).again, .get("/"), .get("/", .html),
        ReplayRequest(method: "HEAD", target: "/users").again, .get("/-/openapi.json"),
        .get("/users?joined__gte=2020&joined__lt=2022&columns=joined&count=exact"),
    ]

    /// Requests of callers with and without tokens; each is sent by all of them in turn.
    static let callers: [ReplayRequest] =
        [
            .get("/users?limit=3").again, .get("/users.html?limit=2"), .get("/users.csv?limit=4"),
            .get("/users?utm_s=1&limit=3"), .get("/users/3"), .get("/users/-/sections"),
            .get("/users?facets=occupation&limit=1"), .get("/items?limit=2"), .get("/"),
            .get("/none"), .get("/users?limit=0"), .get("/users.json?limit=2", fields: gzip),
        ]
        .flatMap { [$0, $0.as("writers"), $0.as("young"), $0.as("all"), $0] } + [
            .get("/users").as("nobody"), .get("/users.html").as("nobody"),
        ]

    static let table: [ReplayRequest] = [
        .get("/table").again, .get("/table", .html), .get("/table.csv"), .get("/table.ndjson"),
        .get("/table?limit=2").following("next", "next", "prev", "changes"),
        .get("/table?sort=-price&limit=3").following("next"), .get("/table?sort=seen&columns=seen"),
        .get("/table?sort=name&jump=B&limit=2&columns=name"), .get("/table?facets=active&limit=1"),
        .get("/table?group=active&columns=name"), .get("/table/-/sections?group=active"),
        .get("/table.html?group=active&columns=name,born&limit=3", fields: german),
        .get("/table/-/sections/true?group=active&limit=2&columns=name"),
        .get("/table?amount__gte=1&amount__ne=3&columns=amount"), .get("/table?price=0.1"),
        .get("/table?active=true&columns=name"), .get("/table?born__lt=2000&columns=born"),
        .get("/table?seen__gte=2024&columns=seen"), .get("/table?name__isnull=true"),
        .get("/table?name=Barbara&columns=name"), .get("/table?name__contains=zepp&columns=id"),
        .get("/table?q=barb&columns=name"), .get("/table?id__in=9,10&columns=id"),
        .get("/table?count=exact&limit=1&columns=id"), .get("/table?count=none&limit=1&columns=id"),
        .get("/table/10").again, .get("/table/10.html"), .get("/table/11"), .get("/table/99"),
        .get("/table/10/-/edit"), .get("/table/-/new"), .get("/table/-/schema"),
        .get("/table?after=AQAA"), .get("/table?amount=x&born=y&active=z&nam=1"),
        .get("/table.html?limit=2&layout=grid"), .get("/table.json?limit=2", fields: gzip).again,
        ReplayRequest(method: "HEAD", target: "/table").again,
    ]

    static let records: [ReplayRequest] = [
        .get("/records").again, .get("/records.html"), .get("/records.csv"),
        .get("/records.ndjson"),
        .get("/records?sort=-share&columns=share&limit=2")
            .following("next"),
        .get("/records?sort=any&columns=any"), .get("/records?any=1&columns=any"),
        .get("/records?ok__ne=true&columns=ok"), .get("/records/1"),
        .get("/records?tags__contains=script&columns=tags"), .get("/records/-/schema"),
    ]

    static let writes: [ReplayRequest] = [
        .send("PATCH", "/table/10", #"{"name":"Ada <new>","price":2.5,"born":"2001-02-03"}"#),
        .send("PUT", "/table/11", #"{"name":"Fifty","active":true}"#),
        ReplayRequest(method: "DELETE", target: "/table/2"),
        .send("PATCH", "/table/10", #"{"born":"never","amount":"x"}"#),
        .send("PATCH", "/table/99", #"{"name":"x"}"#), .send("PATCH", "/table/10", "{"),
    ]

    static let tableWritten: [ReplayRequest] = [
        .get("/table").again, .get("/table.html?limit=3"), .get("/table/10"), .get("/table/2"),
        .get("/table?limit=3&columns=name").following("next", "changes"), .get("/table.csv"),
    ]

    static let things: [ReplayRequest] = [
        .get("/things"), .get("/things.html"), .get("/things.csv"), .get("/things.ndjson"),
        .get("/things?limit=2").following("next", "next", "prev"),
        .get("/things?sort=-ratio&columns=ratio&limit=2").following("next"),
        .get("/things?sort=name&columns=name"), .get("/things?size__gte=0&columns=size"),
        .get("/things?ok=true&columns=ok"), .get("/things?day__gte=2024&columns=day"),
        .get("/things?name__contains=ad&columns=name"), .get("/things?name__isnull=true"),
        .get("/things?q=bo&columns=name"), .get("/things/1"), .get("/things/4.html"),
        .get("/things/9"), .get("/things/1/-/cells/face"), .get("/things/-/schema"),
        .get("/things?group=ok&columns=name"), .get("/things.html?limit=2", fields: german),
        .get("/things?count=none&limit=1"), .get("/things?nothing=1&size=x"), .get("/"),
    ]

    /// Requests for a table whose key has two columns.
    static let pairs: [ReplayRequest] = [
        .get("/pairs"), .get("/pairs.csv"), .get("/pairs?limit=1").following("next", "next"),
        .get("/pairs.html?limit=2"), .get("/pairs/1,a"),
    ]
}
