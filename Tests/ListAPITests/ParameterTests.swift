import ListAPITestSupport
import TestSupport
import Testing

@Suite("Parameters are read strictly")
struct ParameterTests {
    @Test("what is wrong with a parameter is said, all of it and nothing else", arguments: refusals)
    func refused(_ row: InputRow) throws {
        for way in Way.allCases {
            let answer = try Client(samples: way).get(row.input)
            #expect(answer.status == 400)
            #expect(answer.mediaType == "application/problem+json")
            #expect(try answer.errorLines() == row.expected, "\(way)")
            let problem = try answer.json()
            #expect(problem["type"]?.text == "/-/problems/invalid-parameter")
            #expect(problem["title"]?.text == "Invalid query parameter")
            #expect(problem["status"]?.integer == 400)
            let count = row.expected.count
            #expect(
                problem["detail"]?.text
                    == (count == 1
                        ? "A parameter was not understood; nothing was read."
                        : "\(count) parameters were not understood; nothing was read.")
            )
            #expect(problem["instance"]?.text?.hasPrefix("req-") == true)
        }
    }

    @Test(
        "so many faults are told and no more, however many there are",
        arguments: [19, 20, 21, 2_000]
    )
    func manyFaults(count: Int) throws {
        let query = (0..<count).map { "x\($0)" }.joined(separator: "&")
        for way in Way.allCases {
            let answer = try Client(samples: way).get("/users?\(query)")
            #expect(answer.status == 400)
            let errors = try answer.json()["errors"]?.elements ?? []
            #expect(errors.count == min(count, 20))
            #expect(errors.first?["parameter"]?.text == "x0")
        }
    }

    @Test(
        "an address without parameters refuses every one",
        arguments: ["/-/docs", "/-/docs/querying"]
    )
    func withoutParameters(target: String) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            let answer = try client.get(target + "?limit=5")
            #expect(answer.status == 400)
            #expect(answer.body.contains("This address takes no parameters."))
            #expect(try client.get(target + "?utm_source=mail").status == 200)
        }
    }

    private static let encoding =
        "holds a % without two hexadecimal digits, or bytes that are not UTF-8."
    private static let columns =
        "; columns: firstName, lastName, occupation, email, city, joined, age"

    static let refusals = InputRow.table(
        """
        /users?limt=2
          limt unknown-parameter: No parameter 'limt'. Known here: limit, after, before, page, offset, around, sort, columns, group, section, per_section, or, not, q, count, sum, avg, min, max, filled, statistics, facets, jump, layout, collapsed, bom, shape, pretty, {column}, {column}__{operator}.; suggestion limit
        /users?colour=red
          colour unknown-parameter: No column or parameter 'colour'. Columns: id, firstName, lastName, occupation, email, city, joined, age.
        /users/-/sections/Writer?section=Writer
          section unknown-parameter: No parameter 'section'. Known here: limit, after, before, page, offset, sort, columns, group, or, not, q, count, sum, avg, min, max, filled, statistics, facets, jump, layout, bom, shape, pretty, {column}, {column}__{operator}.
        /users/-/sections?sort=age
          sort unknown-parameter: No parameter 'sort'. Known here: limit, after, before, page, offset, group, or, not, q, count, sum, avg, min, max, filled, statistics, pretty, {column}, {column}__{operator}.
        /users/19?limit=1
          limit unknown-parameter: No parameter 'limit'. Known here: columns, pretty.
        /users/-/schema?limit=1
          limit unknown-parameter: No parameter 'limit'. Known here: pretty.
        /users?sort=%zz
          sort malformed-encoding: 'sort' \(encoding)
        /users?sort=%
          sort malformed-encoding: 'sort' \(encoding)
        /users?sort=%ff
          sort malformed-encoding: 'sort' \(encoding)
        /users?%f=1
          %f malformed-encoding: '%f' \(encoding)
        /users?limit
          limit missing-value: 'limit' has no value.
        /users?limit=
          limit missing-value: 'limit' has no value.
        /users?sort=
          sort missing-value: 'sort' has no value.
        /users?section
          section missing-value: 'section' has no value.
        /users?limit=2&limit=2
          limit repeated-parameter: 'limit' may be given once.
        /users?sort=age&page=1&sort=city
          sort repeated-parameter: 'sort' may be given once.
        /users?after=a&before=b
          before conflicting-parameters: 'after' and 'before' exclude one another.
        /users?page=2&after=a
          page conflicting-parameters: 'after' and 'page' exclude one another.
        /users?before=a&page=2
          page conflicting-parameters: 'before' and 'page' exclude one another.

        /users?limit=abc
          limit not-a-number: 'limit' takes a whole number in digits, not 'abc'.
        /users?limit=-1
          limit not-a-number: 'limit' takes a whole number in digits, not '-1'.
        /users?limit=%2B5
          limit not-a-number: 'limit' takes a whole number in digits, not '+5'.
        /users?limit=1.5
          limit not-a-number: 'limit' takes a whole number in digits, not '1.5'.
        /users?limit=1e3
          limit not-a-number: 'limit' takes a whole number in digits, not '1e3'.
        /users?limit=0x10
          limit not-a-number: 'limit' takes a whole number in digits, not '0x10'.
        /users?limit=%205
          limit not-a-number: 'limit' takes a whole number in digits, not ' 5'.
        /users?limit=%D9%A3
          limit not-a-number: 'limit' takes a whole number in digits, not '\u{663}'.
        /users?limit=0
          limit number-too-small: 'limit' is at least 1.
        /users?limit=000
          limit number-too-small: 'limit' is at least 1.
        /users?page=0
          page number-too-small: 'page' is at least 1.
        /users?per_section=0
          per_section number-too-small: 'per_section' is at least 1.
        /users?limit=501
          limit limit-too-large: At most 500 rows a page.; maxLimit 500
        /users?limit=18446744073709551616
          limit limit-too-large: At most 500 rows a page.; maxLimit 500
        /users?limit=501&page=1
          limit limit-too-large: At most 500 rows a page.; maxLimit 500
        /users?limit=9223372036854775807&page=2
          limit limit-too-large: At most 500 rows a page.; maxLimit 500
        /users/-/sections?limit=501
          limit limit-too-large: At most 500 rows a page.; maxLimit 500
        /users?per_section=26&limit=20
          per_section too-many-rows: 20 sections of 26 rows are more than the 500 rows of a page.; maxRows 500
        /users?per_section=501
          per_section too-many-rows: 1 sections of 501 rows are more than the 500 rows of a page.; maxRows 500
        /users?per_section=9223372036854775807&limit=2
          per_section too-many-rows: 2 sections of 9223372036854775807 rows are more than the 500 rows of a page.; maxRows 500
        /users?page=180143985094820
          page page-too-deep: With this limit, 'page' is at most 180143985094819.; maxPage 180143985094819
        /users?page=9007199254740992&limit=1
          page page-too-deep: With this limit, 'page' is at most 9007199254740991.; maxPage 9007199254740991
        /users?page=18014398509482&limit=500
          page page-too-deep: With this limit, 'page' is at most 18014398509481.; maxPage 18014398509481
        /users?page=99999999999999999999
          page page-too-deep: With this limit, 'page' is at most 180143985094819.; maxPage 180143985094819

        /users?sort=lastname
          sort unknown-column: No column 'lastname'.; suggestion lastName
        /users?sort=-agee,city
          sort unknown-column: No column 'agee'.; suggestion age
        /users?sort=zip
          sort unknown-column: No column 'zip'\(columns).
        /users?sort=age,
          sort unknown-column: No column ''\(columns).
        /users?sort=--age
          sort unknown-column: No column '-age'.; suggestion age
        /users?columns=citty
          columns unknown-column: No column 'citty'.; suggestion city
        /users?columns=id,city,id
          columns repeated-column: Column 'id' is named twice.
        /users/3?columns=nme
          columns unknown-column: No column 'nme'\(columns).
        /users?group=agee
          group unknown-column: No column 'agee'.; suggestion age
        /users?sort=age,-age
          sort repeated-column: Column 'age' is named twice.
        /users?sort=id,-id
          sort repeated-column: Column 'id' is named twice.
        /users?columns=age,city,age
          columns repeated-column: Column 'age' is named twice.
        /users?sort=age,city,email,joined,firstName,lastName,occupation,id,-age
          sort too-many-columns: At most 8 columns may be named.
        /users?group=email
          group ungroupable-column: 'email' does not make sections; firstName, lastName, occupation, city, joined, age can.
        /users?group=age:initial
          group no-initials: 'age' is not text and has no initials.
        /users?group=city:first
          group unknown-option: No option 'first'; allowed: initial.
        /users?group=city:
          group unknown-option: No option ''; allowed: initial.
        /users?sort=age:nulls
          sort unknown-option: No option 'nulls'; allowed: nullsfirst, nullslast.

        /users?section=Painter
          section unknown-section: No section 'Painter' in this grouping.
        /users?section=
          section unknown-section: No section '' in this grouping.
        /users?section=Writer&section=Painter
          section unknown-section: No section 'Painter' in this grouping.
        /users?section=writer
          section unknown-section: No section 'writer' in this grouping.
        /users?group=age&section=old
          section unknown-section: No section 'old' in this grouping.
        /users?group=none&section=Writer
          section unknown-section: No section 'Writer' in this grouping.
        /users?section=~Writer
          section unknown-section: No section '~Writer' in this grouping.
        /users/-/sections/Writer?group=agee
          group unknown-column: No column 'agee'.; suggestion age
        /users?group=agee&section=Writer
          group unknown-column: No column 'agee'.; suggestion age
        /users/-/sections/all?group=agee
          group unknown-column: No column 'agee'.; suggestion age

        /users?limit=0&limit=5&sort=zip&page=x
          limit repeated-parameter: 'limit' may be given once.
          sort unknown-column: No column 'zip'\(columns).
          limit number-too-small: 'limit' is at least 1.
          page not-a-number: 'page' takes a whole number in digits, not 'x'.
        /users?sort=%zz&limit=0&q=%ff
          sort malformed-encoding: 'sort' \(encoding)
          q malformed-encoding: 'q' \(encoding)
          limit number-too-small: 'limit' is at least 1.
        /users/-/sections/old?group=age&limit=0
          limit number-too-small: 'limit' is at least 1.
          section unknown-section: No section 'old' in this grouping.
        """
    )
}
