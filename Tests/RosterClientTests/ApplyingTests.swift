import Foundation
import RosterClient
import Testing

@Suite("A page takes the changes that are of it, and no others")
struct ApplyingTests {
    private static let page = """
        {"list": {"id": "users", "version": "v1"}, "columns": [
          {"id": "name", "label": "Name", "type": "text"}],
         "sections": [
          {"id": "admin", "header": {"title": "Admins"}, "footer": null, "rows": [
            {"id": "1", "kind": "user", "cells": {"name": "Ada"}},
            {"id": "2", "kind": "user", "cells": {"name": "Bo"}},
            {"id": "3", "kind": "user", "cells": {"name": "Cy"}}]},
          {"id": "editor", "header": {"title": "Editors"}, "footer": {"text": "They edit."},
           "rows": [
            {"id": "4", "kind": "user", "cells": {"name": "Di"}},
            {"id": "5", "kind": "user", "cells": {"name": null}, "display": {"name": "Nobody"}}]},
          {"id": "guest", "header": null, "footer": null, "rows": [
            {"id": "8", "kind": "user", "cells": {"name": "Ed"}}]}],
         "links": {"self": "/users.json", "changes": "/users/-/changes?since=v1"}}
        """

    /// The example of the protocol's second part.
    private static let change = """
        {"list": "users", "from": "v1", "to": "v2", "stages": [
          {"insertSections": {"at": [0], "id": ["owner"], "rows": [["10"]]},
           "counts": [1, 3, 2, 1]},
          {"delete": {"at": [[1, 0]], "id": ["1"]}, "insert": {"at": [[1, 1]], "id": ["9"]},
           "move": {"from": [[2, 0]], "to": [[1, 3]], "id": ["4"]}, "counts": [1, 4, 1, 1]},
          {"deleteSections": {"at": [3], "id": ["guest"]}, "counts": [1, 4, 1]},
          {"reload": {"at": [[2, 0]], "id": ["5"]}, "headers": {"at": [1], "id": ["admin"]},
           "counts": [1, 4, 1]}],
         "rows": {
          "10": {"id": "10", "kind": "user", "cells": {"name": "Fa"}},
          "9": {"id": "9", "kind": "user", "cells": {"name": "Gi"}},
          "5": {"id": "5", "kind": "user", "cells": {"name": "Hu"}}},
         "sections": {
          "owner": {"id": "owner", "header": {"title": "Owners"}, "footer": null},
          "admin": {"id": "admin", "header": {"title": "Chiefs"}, "footer": null}},
         "total": null, "page": {},
         "links": {"changes": "/users/-/changes?since=v2", "reload": "/users.json"}}
        """

    private func decode<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    @Test("the stages lead from the old page to the new one")
    func example() throws {
        var page: RosterPage = try decode(Self.page)
        var counts: [[Int]] = []
        try page.apply(try decode(Self.change)) { stage, page in
            #expect(page.sections.map(\.rows.count) == stage.counts)
            counts.append(stage.counts)
        }
        #expect(counts == [[1, 3, 2, 1], [1, 4, 1, 1], [1, 4, 1], [1, 4, 1]])
        #expect(page.sections.map(\.id) == ["owner", "admin", "editor"])
        #expect(page.sections.map { $0.rows.map(\.id) } == [["10"], ["2", "9", "3", "4"], ["5"]])
        #expect(page.sections.map(\.header) == ["Owners", "Chiefs", "Editors"])
        #expect(page.sections[2].footer == "They edit.")
        #expect(page.sections[2].rows[0].text("name") == "Hu")
        #expect(page.version == "v2")
        #expect(page.changesAddress == "/users/-/changes?since=v2")
    }

    @Test(
        "a change that does not fit is refused whole",
        arguments: [
            ("\"from\": \"v1\"", "\"from\": \"v0\""),
            ("\"id\": [\"1\"]", "\"id\": [\"2\"]"),
            ("\"id\": [\"guest\"]", "\"id\": [\"editor\"]"),
            ("\"at\": [[1, 0]]", "\"at\": [[7, 0]]"),
            ("\"at\": [[1, 0]]", "\"at\": [[1, 7]]"),
            ("\"to\": [[1, 3]]", "\"to\": [[1, 9]]"),
            ("\"to\": [[1, 3]]", "\"to\": [[9, 0]]"),
            ("\"at\": [3]", "\"at\": [9]"),
            ("\"at\": [0], \"id\": [\"owner\"]", "\"at\": [5], \"id\": [\"owner\"]"),
            ("\"counts\": [1, 4, 1]}]", "\"counts\": [1, 4, 2]}]"),
            ("\"9\": {\"id\"", "\"99\": {\"id\""),
            ("\"owner\": {\"id\"", "\"other\": {\"id\""),
        ]
    )
    func refusals(part: String, replacement: String) throws {
        let original: RosterPage = try decode(Self.page)
        var page = original
        let change: RosterChange = try decode(Self.change.replacing(part, with: replacement))
        var isTold = false
        #expect(throws: RosterError.mismatch) { try page.apply(change) { _, _ in isTold = true } }
        #expect(page == original)
        #expect(!isTold)
    }

    @Test("a change without an id is refused")
    func unknownID() {
        let text = Self.change.replacing("\"id\": [\"1\"]", with: "\"id\": [null]")
        #expect(throws: DecodingError.self) { try decode(text) as RosterChange }
    }

    @Test("arrays of different lengths are no change")
    func lengths() {
        let text = Self.change.replacing("\"to\": [[1, 3]]", with: "\"to\": []")
        #expect(throws: DecodingError.self) { try decode(text) as RosterChange }
    }

    @Test("values keep their types, and people see what they are shown")
    func values() throws {
        let row: RosterRow = try decode(
            """
            {"id": "7", "unknown": [1], "cells": {"a": 1, "b": 1.5, "c": true, "d": null, "e": "x"},
             "display": {"d": "nothing"}}
            """
        )
        #expect(row.cells["a"] == .integer(1))
        #expect(row.cells["b"] == .real(1.5))
        #expect(row.cells["c"] == .boolean(true))
        #expect(row.text("d") == "nothing")
        #expect(["a", "b", "c", "e", "z"].map(row.text) == ["1", "1.5", "true", "x", nil])
        #expect(row.kind == nil)
    }
}
