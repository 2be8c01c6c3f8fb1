import Listings
import MemoryLists
import TestSupport
import Testing

@Suite("Conditions on rows in memory")
struct FilterTests {
    /// The ids of the models that meet a condition on their names.
    private func names(_ operation: Filter.Operator, _ operands: CellValue...) throws -> [Int] {
        let names = ["Élan", "elan", "Ömer", "", nil, "zebra"]
        let models = names.enumerated().map { TypedModel(id: $0.offset, name: $0.element) }
        return try ids(models, [Filter(column: 0, operation, operands)])
    }

    private func ids(_ models: [TypedModel], _ filters: [Filter], q: String? = nil) throws -> [Int]
    {
        var query = ListQuery(shape: .flow(limit: 100))
        query.filters = filters
        query.search = q.flatMap(TextSearch.init)
        let source = try MemorySource.typedModels(models)
        let reader = try source.makeReader()
        var page = Page(list: "models", schema: source.schema)
        try reader.read(query, into: &page)
        let total = page.total
        #expect(total == Count(page.rowCount))
        return (0..<page.rowCount).compactMap { Int(page.id(ofRow: $0)) }
    }

    @Test("equality is of bytes, and what has no value is not equal")
    func equality() throws {
        #expect(try names(.equal, .text("elan")) == [1])
        #expect(try names(.equal, .text("")) == [3])
        #expect(try names(.notEqual, .text("elan")) == [0, 2, 3, 4, 5])
        #expect(try names(.among, .text("elan"), .text("zebra")) == [1, 5])
        #expect(try names(.notAmong, .text("elan"), .text("zebra")) == [0, 2, 3, 4])
        #expect(try names(.isNull, .boolean(true)) == [4])
        #expect(try names(.isNull, .boolean(false)) == [0, 1, 2, 3, 5])
    }

    @Test("a value is found among many, by its bytes", arguments: [1, 2, 3] as [UInt64])
    func among(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let models = TypedModel.random(count: 80, using: &random)
        let names = ["e\u{301}lan", "Élan", "Zoë", "zoe", "ab", "王", "", "x"].shuffled(
            using: &random
        )
        for count in 1...names.count {
            let some = names.prefix(count)
            let isNamed = { (model: TypedModel) in
                some.contains { name in
                    model.name.map { Array($0.utf8) == Array(name.utf8) } ?? false
                }
            }
            let operands = some.map { CellValue.text($0) }
            let among = try ids(models, [Filter(column: 0, .among, operands)])
            let others = try ids(models, [Filter(column: 0, .notAmong, operands)])
            #expect(Set(among) == Set(models.filter(isNamed).map(\.id)))
            #expect(
                Set(among + others) == Set(models.map(\.id)) && among.count + others.count == 80
            )
        }
    }

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

    @Test("texts are compared as lists order them, and nothing compares with no value")
    func order() throws {
        #expect(try names(.less, .text("f")) == [0, 1, 3])
        #expect(try names(.atMost, .text("elan")) == [1, 3])
        #expect(try names(.greater, .text("elan")) == [0, 2, 5])
        #expect(try names(.atLeast, .text("Élan")) == [0, 2, 5])
    }

    @Test("letters are found whatever their case and accents")
    func letters() throws {
        #expect(try names(.contains, .text("LA")) == [0, 1])
        #expect(try names(.contains, .text("é")) == [0, 1, 2, 5])
        #expect(try names(.startsWith, .text("EL")) == [0, 1])
        #expect(try names(.endsWith, .text("MÈR")) == [2])
        #expect(try names(.endsWith, .text("xxxxxxxxxx")) == [])
    }

    @Test("all words must be there, the last may be a beginning, quotes keep words together")
    func words() throws {
        let models = [
            TypedModel(id: 0, name: "Jean-Luc Picard", species: "captain"),
            TypedModel(id: 1, name: "Luc Jean", species: "Pica pica"),
            TypedModel(id: 2, name: "Émile 42", species: nil),
        ]
        #expect(try ids(models, [], q: "jean luc") == [0, 1])
        #expect(try ids(models, [], q: "\"jean luc\"") == [0])
        #expect(try ids(models, [], q: "jean-luc") == [0])
        #expect(try ids(models, [], q: "jean pic") == [0, 1])
        #expect(try ids(models, [], q: "pic jean") == [])
        #expect(try ids(models, [], q: "\"pic\"") == [])
        #expect(try ids(models, [], q: "PICA jean") == [1])
        #expect(try ids(models, [], q: "emile \"42") == [2])
        #expect(try ids(models, [Filter(column: 1, .isNull, [.boolean(false)])], q: "e") == [])
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

    @Test("values of a column are counted without the conditions on itself")
    func facets() throws {
        let species = ["cat", "dog", nil, "cat", "dog", "dog", "emu"]
        let models = species.enumerated().map { index, species in
            TypedModel(id: index, species: species, legs: species == "emu" ? 2 : 4)
        }
        var query = ListQuery(shape: .flow(limit: 3))
        query.filters = [
            Filter(column: 1, .equal, [.text("cat")]), Filter(column: 3, .equal, [.integer(4)]),
        ]
        query.facets = [1]
        let source = try MemorySource.typedModels(models)
        let reader = try source.makeReader()
        var page = Page(list: "models", schema: source.schema)
        try reader.read(query, into: &page)
        let facets = page.facets
        let expected = Facet(
            column: 1,
            values: [
                Facet.Value(.text("dog"), count: Count(3)),
                Facet.Value(.text("cat"), count: Count(2)),
                Facet.Value(.null, count: Count(1)),
            ],
            isComplete: true
        )
        #expect(facets == [expected])
        let total = page.total
        #expect(total == Count(2))
    }

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
            let hasPrevious = page.previous != nil
            #expect(hasPrevious == ((first ?? all.count) > 0), "\(letter)")
        }
    }
}
