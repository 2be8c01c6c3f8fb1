import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import MemoryLists
import Rendering
import Testing

@testable import Roster

@Suite("An app serves the lists that it declares")
struct ListAppTests {
    private struct Note: Identifiable {
        var id: Int
        var text: String
        var tag: String?
        var length: Int { text.count }
    }

    private static let notes = [
        Note(id: 10, text: "b", tag: "x"), Note(id: 9, text: "a", tag: nil),
        Note(id: 8, text: "c", tag: "x"),
    ]

    private static func list(_ name: String = "notes") -> List<Note> {
        List(name, notes) {
            Roster.Column(\.text)
            Roster.Column(\.tag)
        }
    }

    /// A client of declared lists; other threads may block for it.
    private func client(_ lists: some Lists, _ way: Way = .inMemory) throws -> Client {
        try Client(lists.listSet.lists.map { try $0.open().list }, way)
    }

    private func error(of lists: some Lists) -> String? {
        do throws(Failure) {
            for list in lists.listSet.lists { _ = try list.open() }
            return nil
        } catch {
            return error.text
        }
    }

    @Test("lists are shown in the order they are given, or the one they are asked for")
    func order() throws {
        let lists = try client(
            ListBuilder.buildBlock(
                Self.list("plain").listSet,
                Self.list("sorted").sorted(by: \.text, descending: true).listSet,
                Self.list("grouped").grouped(by: \.tag).sorted(by: \.text).listSet
            )
        )
        #expect(try lists.get("/plain").rows().map(\.id) == ["10", "9", "8"])
        #expect(try lists.get("/sorted").rows().map(\.id) == ["8", "10", "9"])
        #expect(try lists.get("/grouped").rows().map(\.id) == ["10", "8", "9"])
        #expect(try lists.get("/grouped?sort=id&group=none").rows().map(\.id) == ["8", "9", "10"])
    }

    @Test("an update of the models is what the next request sees")
    func update() throws {
        let models = Models(Self.notes)
        let client = try client(List("notes", live: models) { Roster.Column(\.text) })
        #expect(try client.get("/notes/9").status == 200)
        models.update { $0.removeAll { $0.id == 9 } }
        #expect(try client.get("/notes/9").status == 404)
        #expect(try client.get("/notes").rows().map(\.id) == ["10", "8"])
    }

    @Test("models of several types may have equal ids, and a row has the cells of its own columns")
    func mixed() throws {
        struct Office: Identifiable {
            let id: Int
            let town: String
        }
        let list = List("all") {
            Section("Notes", Self.notes) { Roster.Column(\.text) }
            Section("Offices", [Office(id: 10, town: "Oslo")]) { Roster.Column(\.town) }
        }
        let client = try client(list)
        let rows = try client.get("/all").rows()
        #expect(rows.map(\.id) == ["note-10", "note-9", "note-8", "office-10"])
        #expect(try client.get("/all/office-10").status == 200)
        let json = try client.get("/all/office-10").json()
        #expect(json["row", "cells", "town"]?.text == "Oslo")
        #expect(json["row", "cells", "text"] == nil)
    }

    @Test("equal texts are different rows")
    func texts() throws {
        let client = try client(
            List("words", ["a", "b", "a", ""]) { Roster.Column("word", \.self) }
        )
        #expect(try client.get("/words").rows().map(\.id) == ["a", "b", "a (2)", "(empty)"])
        #expect(try client.get("/words/a%20(2)").status == 200)
    }

    @Test("a list that is declared wrongly is an error that names it and the remedy")
    func errors() throws {
        let unsorted = List("notes", Self.notes) { Roster.Column(\.text) }
        #expect(
            error(of: unsorted.sorted(by: \.tag))
                == #"list 'notes': it is sorted by \Note.tag, which no column shows; add Column(\Note.tag)"#
        )
        #expect(
            error(of: List("notes", Self.notes) { Roster.Column(\.length) })?
                .hasSuffix(#"needs a name: Column("name", \Note.<computed"#) == false
        )
        #expect(
            error(of: List("notes", Self.notes) { Roster.Column(\.id).editable() })
                == "list 'notes': the column 'id' is editable, but nothing stores it; add "
                + ".onUpdate { … }"
        )
        #expect(
            error(of: Self.list().action("move") { _, _ in .done() })
                == "list 'notes': an action cannot have the name 'move'; reserved are children, "
                + "move"
        )
        #expect(
            error(of: List("a/b", ["a"]) { Roster.Column("a", \.self) })
                == "list 'a/b': a list cannot have this name"
        )
        #expect(
            error(of: List("notes", Self.notes + Self.notes) { Roster.Column(\.text) })
                == "list 'notes': two models have the id '10', at [0, 0] and [0, 3] ([section, row])"
        )
        #expect(
            error(of: List("notes", Self.notes) { if false { Roster.Column(\.text) } })
                == "list 'notes': Note has no columns; declare a Column"
        )
    }

    @Test("a row that may not be opened is refused")
    func closed() throws {
        let list = Self.list().openable { $0.id != 9 }
        for way in Way.allCases {
            let client = try client(list, way)
            #expect(try client.get("/notes/8").status == 200)
            let answer = try client.get("/notes/9")
            #expect(answer.status == 403)
            #expect(try answer.json()["type"]?.text == "/-/problems/forbidden")
        }
    }

    @Test("a page with a row that cannot be shown is refused only where that is wished")
    func strictness() throws {
        let controller = ItemController(refusedIDs: ["item2"])
        let list = ListDefinition(
            "items",
            source: try MemorySource.items(.numbered(3), controller: controller)
        )
        #expect(try Client([list]).get("/items").status == 200)
        var options = ServiceOptions()
        options.isStrict = true
        let strict = try Client([list], options: options)
        #expect(try strict.get("/items").status == 500)
        #expect(try strict.get("/items.csv").status == 500)
        #expect(try strict.get("/items/item2").status == 500)
        #expect(try strict.get("/items/item1").status == 200)
        #expect(try strict.get("/").status == 200)
    }

    @Test("a model without a controller is named")
    func unregistered() {
        #expect(throws: ListingError.unregisteredModel("Note")) {
            try ControllerRegistry().registration(for: Note.self)
        }
        let texts = [ListingError.alreadyRegistered(model: "Book"), .unregisteredModel("Book")]
        #expect(
            texts.map { "\($0)" } == [
                "the model Book already has a row controller; use its registration for further "
                    + "lists, or pass replacing: true",
                "the model Book has no row controller; register one first",
            ]
        )
    }

    @Test("rows are moved within their section, and the models follow")
    func moves() throws {
        let models = Models(Self.notes)
        let json: [(FieldName, String)] = [(.contentType, "application/json")]
        let client = try client(List("notes", live: models) { Roster.Column(\.text) }.movable())
        #expect(
            try client.ask(.post, "/notes/10/-/move", fields: json, body: #"{"step":"down"}"#)
                .status
                == 200
        )
        #expect(try client.get("/notes").rows().map(\.id) == ["9", "10", "8"])
        #expect(models.all.map(\.id) == [9, 10, 8])
    }
}
