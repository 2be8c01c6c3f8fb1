import Foundation
import TestSupport
import Testing

@testable import ListAPI
@testable import Roster

/// A request with parameters that are not understood, and what it is told.
struct RefusedParameters: Sendable, CustomTestStringConvertible {
    var target: String
    /// The member `errors` of the problem.
    var errors: String

    init(_ target: String, _ errors: String...) {
        self.target = target
        self.errors = "[\(errors.joined(separator: ","))]"
    }

    var testDescription: String { target }
}

@Suite("Parameters are read strictly")
struct ParameterTests {
    @Test(
        "what is wrong with a parameter is said, all of it and nothing else",
        arguments: Self.names + Self.numbers + Self.columns + Self.sections + Self.manySorts
            + Self.several
    )
    func refused(_ case: RefusedParameters) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            let answer = try client.get(`case`.target)
            #expect(answer.status == 400)
            #expect(answer.mediaType == "application/problem+json")
            let problem = try answer.json()
            #expect(problem["errors"] == (try JSON(`case`.errors)), "\(answer.body)")
            #expect(problem["type"]?.text == "/-/problems/invalid-parameter")
            #expect(problem["title"]?.text == "Invalid query parameter")
            #expect(problem["status"]?.integer == 400)
            let count = problem["errors"]?.elements.count ?? 0
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

    @Test("an address without parameters refuses every one", arguments: ["/", "/.json", "/.html"])
    func withoutParameters(target: String) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            let answer = try client.get(target + "?limit=5")
            #expect(answer.status == 400)
            #expect(answer.body.contains("This address takes no parameters."))
            #expect(try client.get(target + "?utm_source=mail").status == 200)
        }
    }

    private static let known = """
        limit, after, before, page, sort, columns, group, section, per_section, q, \
        count, facets, jump, layout, collapsed, {column}, {column}__{operator}
        """

    static let names = [
        RefusedParameters(
            "/users?limt=2",
            #"""
            {"parameter": "limt", "code": "unknown-parameter", "suggestion": "limit",
             "detail": "No parameter 'limt'. Known here: \#(known)."}
            """#
        ),
        RefusedParameters(
            "/users?colour=red",
            #"""
            {"parameter": "colour", "code": "unknown-parameter",
             "detail": "No parameter 'colour'. Known here: \#(known)."}
            """#
        ),
        RefusedParameters(
            "/users/-/sections/Writer?section=Writer",
            #"""
            {"parameter": "section", "code": "unknown-parameter",
             "detail": "No parameter 'section'. Known here: limit, after, before, page, sort, columns, group, q, count, facets, jump, layout, {column}, {column}__{operator}."}
            """#
        ),
        RefusedParameters(
            "/users/-/sections?sort=age",
            #"""
            {"parameter": "sort", "code": "unknown-parameter",
             "detail": "No parameter 'sort'. Known here: limit, after, before, page, group, q, count, {column}, {column}__{operator}."}
            """#
        ),
        RefusedParameters(
            "/users/19?limit=1",
            #"""
            {"parameter": "limit", "code": "unknown-parameter",
             "detail": "No parameter 'limit'. Known here: columns."}
            """#
        ),
        RefusedParameters(
            "/users/-/schema?limit=1",
            #"""
            {"parameter": "limit", "code": "unknown-parameter",
             "detail": "No parameter 'limit': this address takes none."}
            """#
        ),
        RefusedParameters("/users?sort=%zz", malformed("sort")),
        RefusedParameters("/users?sort=%", malformed("sort")),
        RefusedParameters("/users?sort=%ff", malformed("sort")),
        RefusedParameters("/users?%f=1", malformed("%f")),
        RefusedParameters("/users?limit", missing("limit")),
        RefusedParameters("/users?limit=", missing("limit")),
        RefusedParameters("/users?sort=", missing("sort")),
        RefusedParameters("/users?section", missing("section")),
        RefusedParameters("/users?limit=2&limit=2", repeated("limit")),
        RefusedParameters("/users?sort=age&page=1&sort=city", repeated("sort")),
        RefusedParameters("/users?after=a&before=b", conflict("after", "before")),
        RefusedParameters("/users?page=2&after=a", conflict("after", "page")),
        RefusedParameters("/users?before=a&page=2", conflict("before", "page")),
    ]

    static let numbers =
        ["abc", "-1", "%2B5", "1.5", "1e3", "0x10", "%205", "%D9%A3"].map { value in
            RefusedParameters(
                "/users?limit=\(value)",
                #"""
                {"parameter": "limit", "code": "not-a-number", "detail":
                 "'limit' takes a whole number in digits, not '\#(decoded(value))'."}
                """#
            )
        } + [
            RefusedParameters("/users?limit=0", tooSmall("limit")),
            RefusedParameters("/users?limit=000", tooSmall("limit")),
            RefusedParameters("/users?page=0", tooSmall("page")),
            RefusedParameters("/users?per_section=0", tooSmall("per_section")),
            RefusedParameters("/users?limit=501", limitTooLarge),
            RefusedParameters("/users?limit=18446744073709551616", limitTooLarge),
            RefusedParameters("/users?limit=501&page=1", limitTooLarge),
            RefusedParameters("/users?limit=9223372036854775807&page=2", limitTooLarge),
            RefusedParameters("/users/-/sections?limit=501", limitTooLarge),
            RefusedParameters("/users?per_section=26&limit=20", tooManyRows(20, 26)),
            RefusedParameters("/users?per_section=501", tooManyRows(1, 501)),
            RefusedParameters(
                "/users?per_section=9223372036854775807&limit=2",
                tooManyRows(2, .max)
            ),
            RefusedParameters("/users?page=201", tooDeep(201, deepest: 200)),
            RefusedParameters("/users?page=10001&limit=1", tooDeep(10_001, deepest: 10_000)),
            RefusedParameters("/users?page=21&limit=500", tooDeep(21, deepest: 20)),
            RefusedParameters("/users?page=99999999999999999999", tooDeep(.max, deepest: 200)),
        ]

    static let columns = [
        RefusedParameters("/users?sort=lastname", unknownColumn("sort", "lastname", "lastName")),
        RefusedParameters("/users?sort=-agee,city", unknownColumn("sort", "agee", "age")),
        RefusedParameters("/users?sort=zip", unknownColumn("sort", "zip", nil)),
        RefusedParameters("/users?sort=age,", unknownColumn("sort", "", nil)),
        RefusedParameters("/users?sort=--age", unknownColumn("sort", "-age", "age")),
        RefusedParameters("/users?columns=citty", unknownColumn("columns", "citty", "city")),
        RefusedParameters("/users?columns=id", unknownColumn("columns", "id", nil)),
        RefusedParameters("/users/3?columns=nme", unknownColumn("columns", "nme", nil)),
        RefusedParameters("/users?group=agee", unknownColumn("group", "agee", "age")),
        RefusedParameters("/users?sort=age,-age", repeatedColumn("sort", "age")),
        RefusedParameters("/users?sort=id,-id", repeatedColumn("sort", "id")),
        RefusedParameters("/users?columns=age,city,age", repeatedColumn("columns", "age")),
        RefusedParameters(
            "/users?group=email",
            #"""
            {"parameter": "group", "code": "ungroupable-column", "detail":
             "'email' does not make sections; firstName, lastName, occupation, city, joined, age can."}
            """#
        ),
        RefusedParameters(
            "/users?group=age:initial",
            #"""
            {"parameter": "group", "code": "no-initials",
             "detail": "'age' is not text and has no initials."}
            """#
        ),
        RefusedParameters(
            "/users?group=city:first",
            unknownOption("group", "first", "initial")
        ),
        RefusedParameters("/users?group=city:", unknownOption("group", "", "initial")),
        RefusedParameters(
            "/users?sort=age:nulls",
            unknownOption("sort", "nulls", "nullsfirst, nullslast")
        ),
    ]

    static let sections = [
        RefusedParameters("/users?section=Painter", unknownSection("Painter")),
        RefusedParameters("/users?section=", unknownSection("")),
        RefusedParameters("/users?section=Writer&section=Painter", unknownSection("Painter")),
        RefusedParameters("/users?section=writer", unknownSection("writer")),
        RefusedParameters("/users?group=age&section=old", unknownSection("old")),
        RefusedParameters("/users?group=none&section=Writer", unknownSection("Writer")),
        RefusedParameters("/users?section=~Writer", unknownSection("~Writer")),
        RefusedParameters(
            "/users/-/sections/Writer?group=agee",
            unknownColumn("group", "agee", "age")
        ),
        RefusedParameters(
            "/users?group=agee&section=Writer",
            unknownColumn("group", "agee", "age")
        ),
        RefusedParameters(
            "/users/-/sections/all?group=agee",
            unknownColumn("group", "agee", "age")
        ),
    ]

    static let manySorts = [
        RefusedParameters(
            "/users?sort=age,city,email,joined,firstName,lastName,occupation,id,-age",
            #"""
            {"parameter": "sort", "code": "too-many-columns",
             "detail": "At most 8 columns may be named."}
            """#
        )
    ]

    static let several = [
        RefusedParameters(
            "/users?limit=0&limit=5&sort=zip&page=x",
            repeated("limit"),
            unknownColumn("sort", "zip", nil),
            tooSmall("limit"),
            notANumber("page", "x")
        ),
        RefusedParameters(
            "/users?sort=%zz&limit=0&q=%ff",
            malformed("sort"),
            malformed("q"),
            tooSmall("limit")
        ),
        RefusedParameters(
            "/users/-/sections/old?group=age&limit=0",
            tooSmall("limit"),
            unknownSection("old")
        ),
    ]
}

/// The faults of problems, as JSON.
extension ParameterTests {
    private static func decoded(_ value: String) -> String {
        value.removingPercentEncoding ?? value
    }

    private static func malformed(_ name: String) -> String {
        #"""
        {"parameter": "\#(name)", "code": "malformed-encoding", "detail":
         "'\#(name)' holds a % without two hexadecimal digits, or bytes that are not UTF-8."}
        """#
    }

    private static func missing(_ name: String) -> String {
        #"{"parameter": "\#(name)", "code": "missing-value", "detail": "'\#(name)' has no value."}"#
    }

    private static func repeated(_ name: String) -> String {
        #"""
        {"parameter": "\#(name)", "code": "repeated-parameter",
         "detail": "'\#(name)' may be given once."}
        """#
    }

    private static func conflict(_ first: String, _ second: String) -> String {
        #"""
        {"parameter": "\#(second)", "code": "conflicting-parameters",
         "detail": "'\#(first)' and '\#(second)' exclude one another."}
        """#
    }

    private static func notANumber(_ name: String, _ value: String) -> String {
        #"""
        {"parameter": "\#(name)", "code": "not-a-number",
         "detail": "'\#(name)' takes a whole number in digits, not '\#(value)'."}
        """#
    }

    private static func tooSmall(_ name: String) -> String {
        #"""
        {"parameter": "\#(name)", "code": "number-too-small", "detail": "'\#(name)' is at least 1."}
        """#
    }

    private static let limitTooLarge = #"""
        {"parameter": "limit", "code": "limit-too-large", "detail": "At most 500 rows a page.",
         "maxLimit": 500}
        """#

    private static func tooManyRows(_ limit: Int, _ rows: Int) -> String {
        #"""
        {"parameter": "per_section", "code": "too-many-rows", "maxRows": 500, "detail":
         "\#(limit) sections of \#(rows) rows are more than the 500 rows of a page."}
        """#
    }

    private static func tooDeep(_ page: Int, deepest: Int) -> String {
        #"""
        {"parameter": "page", "code": "page-too-deep", "maxPage": \#(deepest), "detail":
         "Page \#(page) lies behind the first 10000 rows, where pages have numbers; \#
        go on from page \#(deepest) by its next link."}
        """#
    }

    private static func unknownColumn(
        _ name: String,
        _ column: String,
        _ suggestion: String?
    ) -> String {
        let hint = suggestion.map { #", "suggestion": "\#($0)""# } ?? ""
        return #"""
            {"parameter": "\#(name)", "code": "unknown-column",
             "detail": "No column '\#(column)'."\#(hint)}
            """#
    }

    private static func repeatedColumn(_ name: String, _ column: String) -> String {
        #"""
        {"parameter": "\#(name)", "code": "repeated-column",
         "detail": "Column '\#(column)' is named twice."}
        """#
    }

    private static func unknownOption(_ name: String, _ option: String, _ allowed: String) -> String
    {
        #"""
        {"parameter": "\#(name)", "code": "unknown-option",
         "detail": "No option '\#(option)'; allowed: \#(allowed)."}
        """#
    }

    private static func unknownSection(_ id: String) -> String {
        #"""
        {"parameter": "section", "code": "unknown-section",
         "detail": "No section '\#(id)' in this grouping."}
        """#
    }
}
