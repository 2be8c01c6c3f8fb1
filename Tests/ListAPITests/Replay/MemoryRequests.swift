extension [ReplayRequest] {
    static let gallery: [ReplayRequest] =
        [
            .get("/gallery").again, .get("/gallery", .html), .get("/gallery", .csv),
            .get("/gallery", .ndjson).again, .get("/gallery.csv"), .get("/gallery.ndjson?limit=3"),
            .get("/gallery?limit=3").following("next", "next", "prev"),
            .get("/gallery.html?limit=4&layout=grid"),
            .get("/gallery.html?limit=2&columns=name,ratio", fields: german),
            .get("/gallery.json?limit=5&columns=any,blob,data", fields: german),
            .get("/gallery?sort=-size,name&limit=6").following("next", "prev"),
            .get("/gallery.csv?sort=ratio&columns=ratio,any"),
            .get("/gallery.ndjson?sort=-moment:nullsfirst&columns=moment"),
            .get("/gallery.csv?sort=day&group=ok&columns=day,ok"),
            .get("/gallery?group=none&sort=any&columns=any"),
            .get("/gallery?group=ok&columns=ok,name"),
            .get("/gallery?group=day&columns=day&limit=4").following("next"),
            .get("/gallery?group=name:initial&per_section=1&columns=name"),
            .get("/gallery/-/sections?group=size"), .get("/gallery/-/sections.html"),
            .get("/gallery/-/sections"),
            .get("/gallery/-/sections/partial%20&%20more?limit=2")
                .following("next"),
            .get("/gallery/-/sections/whole.html?limit=1&columns=name"),
            .get("/gallery/-/sections/none"),
            .get("/gallery?collapsed=whole&columns=name"),
            .get("/gallery?section=whole&columns=size"),
            .get("/gallery?facets=ok,name&columns=ok&limit=2"),
            .get("/gallery.html?facets=ok,size&columns=ok&limit=1"),
            .get("/gallery?q=barb&columns=name"), .get("/gallery.html?q=ordinary+row&columns=note"),
            .get("/gallery?q=none+such"), .get("/gallery.html?q=none+such"),
            .get("/gallery?count=none&limit=1&columns=name"),
            .get("/gallery?count=exact&limit=1&columns=name"),
            .get("/gallery?group=none&sort=name&jump=B&limit=2&columns=name"),
            .get("/gallery?page=2&limit=4&columns=name"), .get("/gallery?page=9&columns=name"),
            .get("/gallery.json?utm_source=x&limit=1&fbclid=2&columns=name"),
            .get("/gallery/plain").again, .get("/gallery/plain.html"),
            .get("/gallery/plain", .html),
            .get("/gallery/a%2Fb%20%C3%BC%3F%23%25%3C%22&'%3E.json"),
            .get("/gallery/a%2Fb%20%C3%BC%3F%23%25%3C%22&'%3E.json.html", fields: german),
            .get("/gallery/unicode.json"), .get("/gallery/largest"), .get("/gallery/nothing.html"),
            .get("/gallery/shown.html"), .get("/gallery/shown"), .get("/gallery/failing"),
            .get("/gallery/none"), .get("/gallery/none.html"), .get("/gallery/plain.csv"),
            .get("/gallery/plain?columns=size,any"), .get("/gallery/plain/-/cells/blob"),
            .get("/gallery/-/schema"), .get("/gallery/-/schema.html"),
            ReplayRequest(method: "HEAD", target: "/gallery.json?limit=3").again,
            ReplayRequest(method: "HEAD", target: "/gallery.csv"),
            ReplayRequest(method: "HEAD", target: "/gallery.html?limit=1"),
            .get("/gallery.json", fields: gzip).again, .get("/gallery.html?limit=1", fields: gzip),
            .get("/gallery.csv", fields: gzip),
            .get("/gallery?limit=4&columns=name").following("changes"),
        ] + conditions("gallery")

    private static func conditions(_ list: String) -> [ReplayRequest] {
        [
            "name=Barbara", "name__ne=Barbara", "name__contains=gs", "name__startswith=b",
            "name__endswith=a", "name__in=Barbara,Shown", "name__nin=Barbara,Shown",
            "name__isnull=true", "size=70", "size__gte=0&size__lt=71", "size__in=0,5",
            "ratio__gt=0.1", "ratio__lte=0.10", "ok=true", "ok__ne=true", "day=2021-11-13",
            "day__gte=2024", "day__lt=2021-12", "moment__gte=2021-11-13T00:00:00Z",
            "mail__endswith=example.org", "site__contains=javascript", "any=9", "any__ne=9",
            "id=plain", "id__in=plain,least", "data__contains=script", "note=+",
        ]
        .map { .get("/\(list).json?\($0)&columns=name") } + [
            .get("/\(list).html?size__gte=0&columns=ok")
        ]
    }

    /// Requests for the same cells in sections and an order by values.
    static let arranged: [ReplayRequest] = [
        .get("/arranged").again, .get("/arranged.csv"),
        .get("/arranged.html?limit=3&columns=name,size,ok"),
        .get("/arranged?limit=3&columns=name").following("next", "next", "prev"),
        .get("/arranged?group=none&columns=name,size&sort=-size").following("changes"),
        .get("/arranged.html?per_section=1&columns=day,moment", fields: german),
        .get("/arranged?section=B&columns=name"), .get("/arranged/-/sections/B?columns=name"),
        .get("/arranged/-/sections?group=ok"), .get("/arranged/unicode"),
    ]

    static let edges: [ReplayRequest] = [
        .get("/edges.json"), .get("/edges.html?limit=90&columns=name"), .get("/edges.csv"),
        .get("/edges.ndjson?sort=-name&columns=name"),
        .get("/edges.html?limit=10&layout=grid&sort=-id"),
    ]

    static let short: [ReplayRequest] = [
        .get("/short").following("next", "prev"), .get("/short.html").again,
        .get("/short?limit=40"), .get("/short.csv"), .get("/short.ndjson?limit=30"),
        .get("/short?sort=-name&limit=5").following("next"),
        .get("/short.html?group=size&per_section=2"), .get("/short?columns=size&limit=7"),
        .get("/short.html?columns=note,name&limit=3", fields: german),
        .get("/short?size__gte=1&limit=5").following("next"), .get("/short?q=a&limit=4"),
        .get("/short/17"), .get("/short/17.html"), .get("/short?limit=5").following("changes"),
    ]

    static let desk: [ReplayRequest] = [
        .get("/desk").again, .get("/desk.html"), .get("/desk.html?layout=grid", fields: german),
        .get("/desk.csv"), .get("/desk.ndjson"), .get("/desk?limit=2").following("next", "next"),
        .get("/desk?sort=name&group=none"), .get("/desk?collapsed=first"),
        .get("/desk/-/sections"), .get("/desk/-/sections/shut"), .get("/desk.html?section=shut"),
        .get("/desk/n1"), .get("/desk/n1.html"), .get("/desk/n2.html"), .get("/desk/n4"),
        .get("/desk/d2"), .get("/desk/d3.html"), .get("/desk/-/schema"),
        .get("/desk/n1/-/edit"), ReplayRequest(method: "POST", target: "/desk/n1/-/mark"),
        .get("/desk?limit=3").following("changes"),
    ]

    static let tree: [ReplayRequest] = [
        .get("/tree"), .get("/tree?expanded=docs&expanded=docs%3Eguides"),
        .get("/tree.html?expanded=docs"), .get("/tree.html?expanded=docs&layout=grid"),
        .get("/tree.csv?expanded=docs"), .get("/tree.ndjson?expanded=docs"),
        .get("/tree/notes/-/children?limit=3").following("next"),
        .get("/tree/docs/-/children.html"), .get("/tree/docs%3Eguides"),
        .get("/tree/docs%3Enone/-/children"), .get("/tree?expanded="),
    ]

    static let parts: [ReplayRequest] = [
        .get("/parts"), .get("/parts.html"), .get("/parts?segment=old%20%26%20gone"),
        .get("/parts.csv?segment=old%20%26%20gone"), .get("/parts/p1?segment=old%20%26%20gone"),
        .get("/parts?segment=none"),
    ]

    /// Requests for a list without rows.
    static let empty: [ReplayRequest] = [
        .get("/empty"), .get("/empty.html"), .get("/empty.csv"), .get("/empty.ndjson"),
        .get("/empty.html?q=x", fields: german), .get("/empty?title=x"), .get("/empty/-/sections"),
    ]

    /// Requests that no list answers, and those that are refused.
    static let service: [ReplayRequest] = [
        .get("/"), .get("/", .html), .get("/.json"), .get("/.html", fields: german),
        .get("/-/live"), .get("/-/problems/invalid-parameter"),
        .get("/-/problems/not-found.html"), .get("/none"), .get("/galery.html"), .get("/none/x"),
        .get("/gallery.xml"), .get("/gallery", fields: [(name: "Accept", value: "image/png")]),
        .get("/gallery.json", fields: [(name: "Accept-Encoding", value: "identity;q=0")]),
        .get("/gallery?limit=0&sort=nothing&size__gt=x&nonsense=1"),
        .get("/gallery.html?limt=3&size__gtt=1"), .get("/gallery?after=AQAA"),
        .get("/gallery?name__contains=%zz"), .get("/gallery?columns=none", fields: german),
        ReplayRequest(method: "DELETE", target: "/gallery/plain"),
        ReplayRequest(method: "OPTIONS", target: "/gallery"),
        ReplayRequest(method: "PUT", target: "/"), .get("/gallery/"),
    ]

    static let written: [ReplayRequest] = [
        .get("/gallery?limit=6&columns=name,note").again,
        .get("/gallery.html?limit=3&columns=note"), .get("/gallery.csv?columns=note"),
        .get("/gallery/plain"), .get("/gallery/nothing"), .get("/gallery/new.html"),
        .get("/desk?section=first"), .get("/"),
    ]

    static let german = [(name: "Accept-Language", value: "de-DE,de;q=0.9,en;q=0.8")]
    static let gzip = [(name: "Accept-Encoding", value: "gzip, br")]
}
