import Database
import Testing

@Suite("Selection of tables")
struct TableSelectionTests {
    private func lists(
        _ selection: TableSelection,
        _ names: [String],
        internals: Set<String> = []
    ) -> [String] {
        let candidates = names.map { name in
            TableSelection.Candidate(
                name.split(separator: "|").map(String.init),
                isInternal: internals.contains(name)
            )
        }
        return selection.choose(from: candidates).choices.map(\.list)
    }

    @Test(
        "a name no list can have is replaced, with a number if it is taken",
        arguments: [
            (["a/b"], ["a-b"]), (["a/b", "a-b"], ["a-b-2", "a-b"]),
            (["a/b", "a\u{7}b", "a-b"], ["a-b-2", "a-b-3", "a-b"]),
            (["a/b", "a-b-2", "a-b"], ["a-b-3", "a-b-2", "a-b"]), (["."], ["table-."]),
            (["/", "-"], ["table--", "table---2"]), (["roster_x"], ["table-roster_x"]),
            (["é b", "a.json"], ["é b", "a.json"]), (["s.t", "s.t"], ["s.t", "s.t-2"]),
        ]
    )
    func names(tables: [String], lists: [String]) {
        #expect(self.lists(TableSelection(), tables) == lists)
    }

    @Test("settings name tables by any of their names, or by that of the list")
    func settings() {
        let tables = ["people|public.people", "other.people", "a/b", "index"]
        func chosen(_ selection: TableSelection) -> [String] {
            lists(selection, tables, internals: ["index"])
        }
        #expect(chosen(TableSelection()) == ["people", "other.people", "a-b"])
        #expect(chosen(TableSelection(only: ["public.people", "index"])) == ["people", "index"])
        #expect(chosen(TableSelection(only: ["a-b"])) == ["a-b"])
        #expect(chosen(TableSelection(only: ["a/b"])) == ["a-b"])
        #expect(chosen(TableSelection(hidden: ["other.people"])) == ["people", "a-b"])
        #expect(chosen(TableSelection(only: ["people", "a-b"], hidden: ["people"])) == ["a-b"])
        #expect(chosen(TableSelection(table: "other.people", name: "x")) == ["x"])
        #expect(chosen(TableSelection(table: "public.people")) == ["people"])
        #expect(chosen(TableSelection(table: "nobody")) == [])
    }

    @Test("unknown names are told from used ones, and keys belong to their lists")
    func used() {
        let selection = TableSelection(
            only: ["people", "gone"],
            hidden: ["a/b"],
            keys: ["people": ["name"], "a-b": ["x"], "lost": ["y"]]
        )
        let candidates = ["people", "a/b"].map { TableSelection.Candidate([$0]) }
        let selected = selection.choose(from: candidates)
        #expect(selected.used == ["people", "a/b"])
        #expect(selected.choices.map(\.key) == [["name"]])
        #expect(selected.names == ["people", "a-b", "a/b"])
        #expect(selection.choose(from: candidates, imported: 1).choices.map(\.key) == [nil])
    }
}
