import Listings
import MemoryLists
import TestSupport
import Testing

@Suite("Conditions on rows in memory")
struct FilterTests {
    @Test("rows that are not found, sorted or counted in time are not read")
    func outOfTime() throws {
        var source = try MemorySource.typedModels([
            TypedModel(id: 1, name: "a"), TypedModel(id: 2, name: "b"),
        ])
        source.timeLimit = .zero
        let reader = try source.makeReader()
        func error(_ change: (inout ListQuery) -> Void) -> SourceError? {
            var query = ListQuery(shape: .flow(limit: 10))
            change(&query)
            var page = Page(list: "models", schema: source.schema)
            do throws(SourceError) { try reader.read(query, into: &page) } catch { return error }
            return nil
        }
        #expect(error { $0.sort = [SortKey(.column(0))] } == .outOfTime)
        #expect(error { $0.filters = [Filter(column: 0, .equal, [.text("a")])] } == .outOfTime)
        #expect(error { $0.facets = [1] } == .outOfTime)
    }

    @Test(
        "scripts without spaces have a word for each character and the one behind it",
        arguments: [
            ("東京都", " 東京 京都 都 "), ("x東京 都y", " x 東京 京 都 y "), ("東-京", " 東 京 "),
            ("Ada 李", " ada 李 "), ("한국 a", " \u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8} a "),
            ("", ""), ("-", ""),
        ]
    )
    func unspaced(text: String, words: String) {
        #expect(Array(TextSearch.words(of: text).utf8) == Array(words.utf8))
    }

    @Test(
        "what is searched of such a script may stand in the middle of a run",
        arguments: [
            ("港区", [" 港区"]), ("港", [" 港"]), ("\"港区\"", [" 港区"]), ("東京都 x", [" 東京 京都", " x"]),
            ("x港区y", [" x 港区 区 y"]), ("\"港 区\"", [" 港 区"]), ("\"京 x\"", [" 京 x "]),
        ]
    )
    func unspacedPatterns(text: String, patterns: [String]) {
        #expect(TextSearch(text)?.terms.map(\.pattern) == patterns)
    }

    @Test("a search without a letter or digit is none", arguments: ["", " ", "--", "\"\"", "§ %"])
    func emptySearch(text: String) { #expect(TextSearch(text) == nil) }

    @Test(
        "a letter leads to the first row that has it or stands behind it",
        arguments: [SortKey.Direction.ascending, .descending],
        [SortKey.Nulls.first, .last]
    )
    func letter(direction: SortKey.Direction, nulls: SortKey.Nulls) throws {
        let names = ["Ada", "Émile", "emma", "Zoë", nil, "9 lives", "Ömer"]
        let models = names.enumerated().map { TypedModel(id: $0.offset, name: $0.element) }
        let source = try MemorySource.typedModels(models)
        let reader = try source.makeReader()
        var page = Page(list: "models", schema: source.schema)
        func read(_ start: ListQuery.Start) throws -> [CellValue] {
            var query = ListQuery(
                sort: [SortKey(.column(0), direction, nulls: nulls)],
                shape: .flow(limit: 20),
                start: start
            )
            query.wantsLetters = true
            try reader.read(query, into: &page)
            return (0..<page.rowCount).map { page.value(row: $0, column: 0) }
        }
        let all = try read(.beginning)
        let letters = page.letters
        let ascending = ["#", "A", "E", "O", "Z"]
        #expect(letters == (direction == .ascending ? ascending : ascending.reversed()))
        for letter in ["#", "A", "D", "E", "F", "Z"] {
            let first = all.firstIndex { value in
                guard case .text(let text) = value else { return nulls == .last }
                let own = TextCollation.initial(of: text)
                return direction == .ascending
                    ? !TextCollation.isLess(own, than: letter)
                    : !TextCollation.isLess(letter, than: own)
            }
            let rows = try read(.letter(letter))
            #expect(rows == Array(all[(first ?? all.count)...]), "\(letter)")
            #expect((page.previous != nil) == ((first ?? all.count) > 0), "\(letter)")
        }
    }
}
