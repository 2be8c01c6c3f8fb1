import Listings
import Rendering

enum Samples {
    /// Two sections: one that began before the page, one that goes on behind it.
    static func page() -> Page {
        let active = Grouping(column: 5)
        let yes = SectionKey.value(.boolean(true))
        let none = SectionKey.value(.null)
        return Fixture.page(
            [
                PeopleSection(
                    key: yes,
                    people: [barbara, elodie],
                    header: "Active",
                    footer: "Active people can change everything.",
                    count: Count(2),
                    isContinued: true
                ),
                PeopleSection(
                    key: none,
                    people: [grace, failing],
                    header: "No active",
                    count: Count(33_406, .atLeast),
                    hasMore: true
                ),
            ],
            query: ListQuery(
                grouping: active,
                sort: [SortKey(.column(0)), SortKey(.column(3), .descending, nulls: .first)],
                shape: .flow(limit: 4),
                start: .after(Fixture.cursor("18", in: yes))
            ),
            total: Count(33_408),
            previous: Fixture.cursor("19", in: yes),
            next: Fixture.cursor("68", in: none)
        )
    }

    static let barbara = Person(
        id: "19",
        site: "https://www.example.org/~barbara?a=1&b=2",
        age: 70,
        score: 0.1,
        active: true,
        since: CalendarDate("2021-11-13"),
        revision: 3
    )

    static let elodie = Person(
        id: "127",
        name: "Élodie Allen",
        email: "u127@example.org",
        age: 9_007_199_254_740_993,
        score: -1e20,
        active: true,
        since: CalendarDate("0987-06-08"),
        revision: 1
    )

    static let grace = Person(id: "67", name: "Grace Knuth", email: nil, ageDisplay: "No age")
    static let failing = Person(id: "68", fails: true)

    static func letters() -> Page {
        Fixture.page(
            ["A", "É", "#"].map { letter in
                PeopleSection(
                    key: .value(.text(letter)),
                    people: [Person(id: "id \(letter)", name: "\(letter)nn")],
                    header: letter,
                    count: Count(1)
                )
            },
            query: ListQuery(
                grouping: Grouping(column: 0, part: .initial),
                shape: .flow(limit: 50)
            ),
            total: Count(3)
        )
    }

    static func extras() -> Page {
        Fixture.page(
            [
                PeopleSection(
                    key: .value(.text("a")),
                    people: [barbara, elodie, failing],
                    header: "Team A",
                    footer: "The first team.",
                    count: Count(3),
                    indexTitle: "A"
                ),
                PeopleSection(
                    key: .value(.text("b")),
                    people: [],
                    header: "Team B",
                    count: Count(12),
                    indexTitle: "B",
                    isCollapsed: true
                ),
                PeopleSection(
                    key: .value(.null),
                    people: [grace],
                    header: "",
                    footer: "",
                    count: Count(1)
                ),
                PeopleSection(
                    key: .value(.text("d")),
                    people: [],
                    header: "Nobody",
                    count: Count(0),
                    indexTitle: "A"
                ),
            ],
            query: ListQuery(grouping: Grouping(column: 0), shape: .flow(limit: 50)),
            total: Count(16),
            events: events
        )
    }

    static var events: RowEvents<Person> {
        var events = RowEvents<Person>()
        events.link = { $0.model.id == "67" ? nil : "/teams?of=\($0.model.id)&x" }
        events.canOpen = { $0.model.id != "127" }
        events.perform = { _, _ in .done(message: nil) }
        events.actions = { context in
            guard context.model.id != "127" else { return [] }
            return [
                RowAction("edit", method: .get),
                RowAction("mark", title: "Mark <b>"),
                RowAction(
                    "delete",
                    isDestructive: true,
                    confirm: "Delete \"\(context.model.name ?? "")\"?"
                ),
            ]
        }
        events.outline = { context in
            switch context.model.id {
            case "19": RowOutline(level: 0, isExpanded: true, toggle: "/people?closed=19")
            case "127": RowOutline(level: 1, isExpanded: false)
            case "68": RowOutline(level: 2)
            default: nil
            }
        }
        events.span = { $0.model.id == "19" ? 2 : nil }
        return events
    }

    static let directory = ListDirectory(
        title: "Lists",
        entries: [
            ListDirectory.Entry(
                name: "people",
                title: "People",
                count: Count(33_408),
                address: "/people"
            ),
            ListDirectory.Entry(
                name: "r&d",
                title: "R&D",
                count: Count(10_000, .atLeast),
                address: "/r%26d"
            ),
            ListDirectory.Entry(name: "slow", title: "Slow", count: nil, address: "/slow"),
        ],
        address: "/",
        alternates: [Alternate(.json, address: "/?format=json")]
    )

    static let schema = SchemaDocument(
        list: "people",
        title: "People",
        schema: Fixture.schema,
        parameters: [
            SchemaDocument.Parameter(
                "limit",
                summary: "Rows a page.",
                example: "limit=20",
                defaultValue: "50",
                maximum: 500
            ),
            SchemaDocument.Parameter(
                "sort",
                summary: "The order; minus is descending.",
                example: "sort=-age,name"
            ),
        ],
        listAddress: "/people",
        address: "/people/-/schema",
        alternates: [Alternate(.json, address: "/people/-/schema.json")]
    )

    static var problem: Problem {
        let kind = ProblemKind(400, "invalid-parameter", "Invalid query parameter") { "" }
        var problem = Problem(
            kind,
            "2 parameters were not understood; nothing was read.",
            faults: faults,
            links: [Problem.Link("first", label: "Back to the start", address: "/people")]
        )
        problem.type = "/-/problems/invalid-parameter"
        problem.instance = "req-01J9"
        return problem
    }

    private static let faults = [
        Problem.Fault(
            .parameter("age__gtt"),
            code: "unknown-operator",
            detail: "No operator 'gtt'.",
            suggestion: "age__gt",
            correction: "/people?age__gt=3&limit=4"
        ),
        Problem.Fault(
            .parameter("limit"),
            code: "limit-too-large",
            detail: "At most 500 rows a page.",
            members: [("maxLimit", .integer(500))]
        ),
    ]
}
