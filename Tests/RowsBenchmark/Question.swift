import Listings

/// A question about the list, in both the ways it can be asked.
struct Question {
    let name: String
    /// The one whose time the others of its kind are divided by.
    let base: String
    let query: ListQuery
    /// The same question in an address, without the cursor.
    let address: String
    /// Whether everything that was counted or found out before is forgotten before every reading.
    var isFirst = false

    var target: String {
        switch query.start {
        case .after(let cursor): address + "&after=\(cursor.text)"
        case .before(let cursor): address + "&before=\(cursor.text)"
        default: address
        }
    }
}

struct Questions {
    let schema: ListSchema
    let rows: Int
    let reader: any ListReader

    private func column(_ id: String) -> Int {
        guard let column = schema.columns.firstIndex(where: { $0.id == id }) else {
            fatalError("the list has no column \(id)")
        }
        return column
    }

    func all() throws -> [Question] {
        let byName = ListQuery(
            sort: [SortKey(.column(column("lastName")))],
            shape: .flow(limit: 50)
        )
        var grouped = ListQuery(
            grouping: schema.defaultGrouping,
            sort: schema.defaultSort,
            shape: .flow(limit: 50)
        )
        grouped.counting = .off
        var plain = byName
        plain.counting = .off
        let nameAddress = "/users.json?group=none&sort=lastName&count=none"
        return
            try pages("flow by name", plain, nameAddress)
            + pages("grouped", grouped, "/users.json?count=none") + peeks() + overview(byName)
            + conditions(byName) + farBehind()
    }

    /// Pages at the start, in the middle and at the end, in both directions.
    private func pages(
        _ name: String,
        _ query: ListQuery,
        _ address: String
    ) throws -> [Question] {
        let start = "\(name), start"
        var questions = [Question(name: start, base: start, query: query, address: address)]
        let locations = [
            ("start", try cursor(besides: query, .beginning)), ("middle", middle(of: query)),
            ("end", try cursor(besides: query, .before(end(of: query)))),
        ]
        for (location, cursor) in locations {
            for (way, begin) in [
                ("on", ListQuery.Start.after(cursor)), ("back", .before(cursor)),
            ] {
                var query = query
                query.start = begin
                questions.append(
                    Question(
                        name: "\(name), \(location), \(way)",
                        base: start,
                        query: query,
                        address: address
                    )
                )
            }
        }
        return questions
    }

    /// The cursor that leads on behind a hundred rows, or back before them.
    private func cursor(besides query: ListQuery, _ start: ListQuery.Start) throws -> Cursor {
        var query = query
        query.shape = .flow(limit: 100)
        query.start = start
        var page = Page(list: "users", schema: schema)
        try reader.read(query, into: &page)
        let cursor = start == .beginning ? page.next : page.previous
        guard let cursor else { fatalError("the list has no two pages") }
        return cursor
    }

    /// A place in the middle, where no row has to stand.
    private func middle(of query: ListQuery) -> Cursor {
        location(query, section: .text("Engineer"), .text("Lind"), id: 0)
    }

    private func end(of query: ListQuery) -> Cursor {
        location(query, section: .null, .null, id: Int64.max)
    }

    private func location(
        _ query: ListQuery,
        section: CellValue,
        _ value: CellValue,
        id: Int64
    ) -> Cursor {
        let values = query.order.map { $0.field == .id ? CellValue.integer(id) : value }
        return Cursor(
            signature: query.signature(of: "users", schema: schema),
            section: query.grouping == nil ? .whole : .value(section),
            row: Cursor.Row(values: values)
        )
    }

    private func peeks() throws -> [Question] {
        var three = ListQuery(
            grouping: schema.defaultGrouping,
            sort: schema.defaultSort,
            shape: .peek(limit: 20, rows: 5)
        )
        three.counting = .off
        var teams = ListQuery(
            grouping: Grouping(column: column("team")),
            shape: .peek(limit: 20, rows: 3)
        )
        teams.counting = .off
        let address = "/users.json?group=team&sort=id&per_section=3&count=none"
        let start = "peek of \(rows / 3) × 3, start"
        var questions = [
            Question(
                name: "peek of 3 × \(rows / 3)",
                base: "peek of 3 × \(rows / 3)",
                query: three,
                address: "/users.json?per_section=5&count=none"
            ), Question(name: start, base: start, query: teams, address: address),
        ]
        for (location, team) in [("middle", rows / 6), ("end", rows / 3 - 30)] {
            let cursor = Cursor(
                signature: teams.signature(of: "users", schema: schema),
                section: .value(.integer(Int64(team))),
                row: nil
            )
            for (way, begin) in [
                ("on", ListQuery.Start.after(cursor)), ("back", .before(cursor)),
            ] {
                var query = teams
                query.start = begin
                questions.append(
                    Question(
                        name: "peek of \(rows / 3) × 3, \(location), \(way)",
                        base: start,
                        query: query,
                        address: address
                    )
                )
            }
        }
        return questions
    }

    /// What is found out besides the rows, for the first time in a version.
    private func overview(_ byName: ListQuery) -> [Question] {
        let address = "/users.json?group=none&sort=lastName"
        let base = "first page, counted"
        var letters = byName
        letters.counting = .off
        letters.wantsLetters = true
        var facets = byName
        facets.facets = [column("occupation")]
        return [
            Question(name: base, base: base, query: byName, address: address, isFirst: true),
            Question(name: "letters", base: base, query: letters, address: address, isFirst: true),
            Question(
                name: "facet of 3 values",
                base: base,
                query: facets,
                address: address + "&facets=occupation",
                isFirst: true
            ),
        ]
    }

    private func conditions(_ byName: ListQuery) -> [Question] {
        var plain = byName
        plain.counting = .off
        let address = "/users.json?group=none&sort=lastName&count=none"
        let city = column("city")
        let base = "flow by name, start"
        func question(
            _ name: String,
            _ filters: [Filter],
            q: String? = nil,
            _ parameters: String
        ) -> [Question] {
            var query = plain
            query.filters = filters
            query.search = q.flatMap(TextSearch.init)
            return [true, false].map { isFirst in
                Question(
                    name: name + (isFirst ? ", first" : ""),
                    base: base,
                    query: query,
                    address: address + parameters,
                    isFirst: isFirst
                )
            }
        }
        let rare = Filter(column: city, .equal, [.text("Rare")])
        let writers = Filter(column: column("occupation"), .equal, [.text("Writer")])
        return question("few matches", [rare], "&city=Rare")
            + question("few among many", [writers, rare], "&occupation=Writer&city=Rare")
            + question(
                "no match",
                [Filter(column: city, .equal, [.text("Nowhere")])],
                "&city=Nowhere"
            ) + question("many matches", [writers], "&occupation=Writer")
            + question("q, a few", [], q: "rare", "&q=rare")
            + question("q, many", [], q: "writer", "&q=writer")
            + question("q, two words", [], q: "rare engi", "&q=rare+engi")
            + question("q, a letter", [], q: "e", "&q=e")
            + question("q, two common words", [], q: "city writ", "&q=city+writ")
            + question("q, two that no row has", [], q: "writer desi", "&q=writer+desi")
            + question(
                "contains, many",
                [Filter(column: column("lastName"), .contains, [.text("son")])],
                "&lastName__contains=son"
            )
            + question(
                "contains, none",
                [Filter(column: column("lastName"), .contains, [.text("nobody")])],
                "&lastName__contains=nobody"
            ) + initials(plain)
    }

    /// What stands behind millions of other rows in its order, or has no index of its own.
    private func farBehind() -> [Question] {
        let age = SortKey(.column(column("age")))
        func question(
            _ name: String,
            _ grouping: Grouping?,
            _ sort: [SortKey],
            q: String? = nil,
            filters: [Filter] = [],
            _ parameters: String
        ) -> [Question] {
            var query = ListQuery(grouping: grouping, sort: sort, shape: .flow(limit: 50))
            query.counting = .off
            query.search = q.flatMap(TextSearch.init)
            query.filters = filters
            let address = "/users.json?count=none&" + parameters
            return [true, false].map { isFirst in
                Question(
                    name: name + (isFirst ? ", first" : ""),
                    base: "grouped, start",
                    query: query,
                    address: address,
                    isFirst: isFirst
                )
            }
        }
        let sections = schema.defaultGrouping
        let byName = [SortKey(.column(column("lastName")))]
        let bound = Filter(column: column("age"), .atLeast, [.integer(40)])
        return question(
            "q, the last section",
            sections,
            schema.defaultSort,
            q: "writer",
            "q=writer"
        )
            + question("q, far behind", nil, byName, q: "berg", "group=none&sort=lastName&q=berg")
            + question("q, in two columns", sections, schema.defaultSort, q: "berg", "q=berg")
            + question("grouped, by age", sections, [age], "sort=age")
            + question(
                "by age, from 40 on",
                nil,
                [age],
                filters: [bound],
                "group=none&sort=age&age__gte=40"
            )
    }

    private func initials(_ plain: ListQuery) -> [Question] {
        var query = plain
        query.grouping = Grouping(column: column("lastName"), part: .initial)
        let address = "/users.json?group=lastName:initial&sort=lastName&count=none"
        return [
            Question(name: "by initial", base: "grouped, start", query: query, address: address)
        ]
    }
}
