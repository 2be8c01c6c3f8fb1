public import Listings

/// A comparison of a source with a plain evaluation of its rows, for the tests of the source.
///
/// ```swift
/// @Test func answersItsQueries() throws {
///     let check = try ListSourceCheck(BookSource())
///     #expect(try check.differences().isEmpty)
/// }
/// ```
///
/// The check reads all rows of the source in its default order, and holds them in memory. Then it
/// asks the source and the copy the same random queries. A source answers correctly if:
///
/// - **Pages** follow one another: ``Page/next`` leads to the next rows, ``Page/previous`` back to
///   those before, and both are nil at the ends of the list. No row is missing or there twice.
/// - **Limits** of the query are the sizes of the pages, except the last.
/// - **Orders** compare values as ``RowOrder`` does: numbers by value, texts ignoring case and
///   accents, rows without a value where the key says. Equal rows are in the order of their ids.
/// - **Conditions** are all met, in the sense of ``Filter``, and so are the words of a search.
/// - **Sections** of a grouping are in the order of their values; null is last.
/// - **Counts, facets and aggregates** cover the rows of all pages.
/// - **Rows** are found by their ids, and unknown ids are not.
/// - **Versions** of pages equal ``ListReader/version()``.
///
/// Queries use only the abilities in the schema of the source; see ``ListSchema/limited(to:operators:)``.
/// The rows must not change meanwhile, and there should be some dozens with different values.
public struct ListSourceCheck {
    /// The number of rows that a check reads at most.
    public static let maximumRows = 10_000

    let schema: ListSchema
    let rows: [StaticRow]
    let sections: [SectionInfo]
    private let reader: any ListReader
    private let copy: any ListReader
    private let firstDifferences: [String]

    /// Reads the rows of a source.
    ///
    /// - Parameter source: The source.
    /// - Throws: ``SourceError`` if the rows cannot be read.
    public init(_ source: any ListSource) throws(SourceError) {
        schema = source.schema
        reader = try source.makeReader()
        var loaded = LoadedRows()
        try loaded.read(reader, schema)
        rows = loaded.sections.flatMap(\.rows)
        sections = loaded.sections.map(\.info)
        firstDifferences = loaded.differences
        copy = try Self.copy(of: loaded.sections, schema).makeReader()
    }

    private static func copy(
        of sections: [(info: SectionInfo, rows: [StaticRow])],
        _ schema: ListSchema
    ) throws(SourceError) -> any ListSource {
        do {
            if schema.arrangement == .own {
                let source = DataSource()
                try source.update { snapshot in
                    for (info, rows) in sections {
                        let run = Run(rows: rows, kind: "row", columns: schema.columns)
                        try snapshot.append(Section(info, run))
                    }
                }
                return DataSourceList(source, schema: schema)
            }
            return try MemorySource(
                models: sections.flatMap(\.rows),
                using: Registration(ReadyRowController(kind: "row", columns: schema.columns)),
                schema: schema,
                version: ListVersion(epoch: 0, counter: 0)
            )
        } catch {
            throw .unavailable(reason: "\(error)")
        }
    }

    /// Asks random queries, and returns the differences between the source and its rows.
    ///
    /// - Parameters:
    ///   - count: The number of queries.
    ///   - seed: The beginning of the random numbers. Equal seeds make equal queries.
    ///   - maximum: The number of differences after which the check ends.
    /// - Returns: The differences, each with its query; empty for a correct source.
    public func differences(
        queries count: Int = 200,
        seed: UInt64 = 1,
        maximum: Int = 5
    ) -> [String] {
        var found = firstDifferences
        found += rowDifferences()
        var queries = CheckedQueries(self, seed: seed)
        for _ in 0..<count where found.count < maximum {
            if let difference = difference(in: queries.next()) { found.append(difference) }
        }
        return found
    }

    // MARK: - Queries

    private func difference(in first: ListQuery) -> String? {
        let text = first.text(schema)
        var (query, copied) = (first, first)
        for number in 1...20 {
            let (found, expected) = (page(query, reader), page(copied, copy))
            guard found.lines == expected.lines else {
                return Self.difference("\(text), page \(number)", found.lines, expected.lines)
            }
            guard (found.next == nil) == (expected.next == nil) else {
                return "\(text), page \(number): there is "
                    + (found.next == nil ? "no cursor, but more rows" : "a cursor at the end")
            }
            if number > 1 || first.start != .beginning,
                let back = backDifference(
                    query,
                    found.previous,
                    copied,
                    expected.previous
                )
            {
                return "\(text), before page \(number): \(back)"
            }
            guard let next = found.next, let copiedNext = expected.next else { return nil }
            query.start = .after(next)
            copied.start = .after(copiedNext)
        }
        return nil
    }

    private func backDifference(
        _ query: ListQuery,
        _ previous: Cursor?,
        _ copied: ListQuery,
        _ copiedPrevious: Cursor?
    ) -> String? {
        guard let copiedPrevious else {
            return previous == nil ? nil : "a cursor at the beginning"
        }
        guard let previous else { return "no cursor, but more rows" }
        var (query, copied) = (query, copied)
        query.start = .before(previous)
        copied.start = .before(copiedPrevious)
        let (found, expected) = (page(query, reader).lines, page(copied, copy).lines)
        return found == expected ? nil : Self.difference("the page", found, expected)
    }

    private func page(
        _ query: ListQuery,
        _ reader: any ListReader
    ) -> (lines: [String], next: Cursor?, previous: Cursor?) {
        var page = Page(list: "check", schema: schema)
        do throws(SourceError) {
            let version = try reader.version()
            try reader.read(query, into: &page)
            var lines = page.lines
            if page.version != version {
                lines.append("version \(page.version), not \(version)")
            }
            return (lines, page.next, page.previous)
        } catch {
            return (["error \(error)"], nil, nil)
        }
    }

    // MARK: - Single rows

    private func rowDifferences() -> [String] {
        let step = max(1, rows.count / 20)
        let ids = stride(from: 0, to: rows.count, by: step).map { rows[$0].id }
        return (ids + ["no such row"]).compactMap { id in
            let (found, expected) = (row(id, reader), row(id, copy))
            return found == expected ? nil : Self.difference("row '\(id)'", found, expected)
        }
    }

    private func row(_ id: String, _ reader: any ListReader) -> [String] {
        var page = Page(list: "check", schema: schema)
        do throws(SourceError) {
            let grouping = schema.defaultGrouping
            guard try reader.readRow(id, grouping: grouping, into: &page) else { return [] }
            return page.lines.filter { $0.hasPrefix("row ") }
        } catch {
            return ["error \(error)"]
        }
    }

    private static func difference(
        _ location: String,
        _ found: [String],
        _ expected: [String]
    ) -> String {
        let position = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset
        let line = position ?? min(found.count, expected.count)
        let (left, right) = (
            found.indices.contains(line) ? found[line] : "nothing",
            expected.indices.contains(line) ? expected[line] : "nothing"
        )
        return "\(location): \(left), expected \(right)"
    }
}

private struct LoadedRows {
    var sections: [(info: SectionInfo, rows: [StaticRow])] = []
    var differences: [String] = []

    mutating func read(_ reader: any ListReader, _ schema: ListSchema) throws(SourceError) {
        var query = ListQuery(
            grouping: schema.arrangement == .own ? nil : schema.defaultGrouping,
            sort: schema.arrangement == .own ? [] : schema.defaultSort,
            shape: .flow(limit: schema.maximumLimit)
        )
        query.counting = .off
        var ids: Set<String> = []
        var page = Page(list: "check", schema: schema)
        while true {
            try reader.read(query, into: &page)
            for section in page.sections {
                if sections.last?.info.id != section.info.id {
                    sections.append((section.info, []))
                }
                for row in section.rows {
                    let id = page.id(ofRow: row)
                    guard ids.insert(id).inserted else {
                        differences.append("the default pages show the row '\(id)' twice")
                        return
                    }
                    let cells = schema.columns.indices.map { page.value(row: row, column: $0) }
                    sections[sections.count - 1].rows.append(StaticRow(id: id, cells: cells))
                }
            }
            guard let next = page.next, ids.count < ListSourceCheck.maximumRows else { return }
            if page.rowCount == 0 {
                differences.append("an empty default page has a cursor to further rows")
                return
            }
            query.start = .after(next)
        }
    }
}

extension Page {
    fileprivate var lines: [String] {
        var lines: [String] = []
        for section in sections {
            var line = "section \(section.info.id)"
            if let header = section.info.header { line += " '\(header)'" }
            if section.isContinued { line += ", continued" }
            if query.counting == .exact, let count = section.count {
                line += ", \(count.value) rows"
            }
            lines.append(line)
            for row in section.rows {
                let cells = schema.columns.indices.map { column in
                    let value = value(row: row, column: column)
                    return "\(schema.columns[column].id)=\(value.isNull ? "null" : value.plainText)"
                }
                lines.append("row \(id(ofRow: row)): \(cells.joined(separator: " "))")
            }
        }
        if query.counting == .exact { lines.append("\(total?.value ?? -1) rows in all") }
        for facet in facets {
            let values = facet.values.map { "\($0.value.plainText) \($0.count?.value ?? -1)" }
            lines.append(
                "facet \(schema.columns[facet.column].id): \(values.joined(separator: ", "))"
            )
        }
        for (aggregate, value) in zip(query.aggregates, aggregates) {
            lines.append("\(aggregate.function.rawValue) \(value?.plainText ?? "unknown")")
        }
        if let statistics {
            let counts = [statistics.present, statistics.missing, statistics.distinct]
            let facts = [
                statistics.minimum, statistics.maximum, statistics.average, statistics.shortest,
                statistics.longest,
            ]
            let frequent = statistics.frequent.map { ($0.value, $0.count?.value ?? -1) }
            let bars = statistics.histogram.bars.map { ($0.start, $0.count) }
            let numbered = (frequent + bars).map { "\($0.plainText) \($1)" }
            lines.append("statistics \(counts) \(facts.map(\.plainText)) \(numbered)")
        }
        return lines
    }
}
