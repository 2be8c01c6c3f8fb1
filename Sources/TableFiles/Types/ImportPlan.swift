package import Listings

/// The mapping from the columns of a file to those of a list.
///
/// A column named `id`, otherwise one named `ID` or `Id`, holds the row ids and becomes the column
/// `id`. Without one, rows are numbered from 1 in the order of the file. The options may name other
/// columns with the ids, which then stay columns of their own.
package struct ImportPlan: Sendable {
    /// A column whose id in the list differs from its name in the file; see ``PublicColumnName``.
    package struct Rename: Hashable, Sendable {
        package let name: String
        package let id: String
    }

    /// Positions in the file; empty if rows are numbered.
    package let idColumns: [Int]
    package let idName: String?
    package let idType: ColumnType
    /// In the order of the file.
    package let columns: [Column]
    private let hasKeyColumn: Bool
    /// Columns of an export that the list does not have.
    package let omitted: Set<Int>
    /// The positions of the columns that the list has.
    package var listPositions: [Int] { columns.indices.filter { !omitted.contains($0) } }
    package var valueColumns: [Int] {
        listPositions.filter { hasKeyColumn || $0 != idColumns.first }
    }
    /// The names of these columns, and those of the ones that they repeat.
    package let omittedNames: [(name: String, source: String?)]
    package let keyed: Set<Int>
    package var listColumns: [Column] { listPositions.map { columns[$0] } }
    /// The keyed ones among the columns of the list.
    package var keyedColumns: Set<Int> {
        Set(listPositions.enumerated().filter { keyed.contains($0.element) }.map(\.offset))
    }
    package let renames: [Rename]
    package let exceptions: [Exceptions]
    /// By the positions of the columns.
    package let readings: [Int: ColumnReading]
    package let spellings: [Spelling]

    /// A column whose texts have a meaning that a reader may want to know.
    package struct Spelling: Hashable, Sendable {
        package let column: String
        /// Nil for dates whose order of day and month is open.
        package let reading: ColumnReading?
        package let count: Int
        package let total: Int
        package let example: String
        /// Whether the options keep the texts, which would be values without them.
        package var isExcluded = false
    }

    package struct Exceptions: Hashable, Sendable {
        package let column: String
        package let type: ColumnType
        package let count: Int
        package let total: Int
        /// The most frequent first.
        package let examples: [Example]

        package struct Example: Hashable, Sendable {
            package let text: String
            package let count: Int
        }
    }

    package static func idColumn(of names: ColumnNames) -> Int? {
        names.position(of: "id") ?? names.all.firstIndex { $0 == "ID" || $0 == "Id" }
    }

    package init(
        _ names: ColumnNames,
        survey: SchemaInference,
        options: ImportOptions = ImportOptions(),
        exported: ExportColumns = ExportColumns(),
        isNumbered: Bool = false
    ) {
        func facts(_ position: Int) -> ColumnProfile {
            position < survey.facts.count ? survey.facts[position] : ColumnProfile()
        }
        let isIDGiven = isNumbered || options.type(of: ListSchema.idName) != nil
        let hiddenID = isIDGiven ? nil : exported.idSource
        let section = exported.sectionSource.map { ($0.section, Optional($0.source)) }
        let sources = [section, hiddenID.map { ($0.id, $0.source) }].compactMap(\.self)
        omitted = Set(sources.map(\.0))
        omittedNames = sources.map { position, source in
            (names.all[position], source.map { names.all[$0] })
        }
        var key = options.key.compactMap(names.position(of:))
        if key.isEmpty, let source = hiddenID?.source { key = [source] }
        let found = Self.idColumn(of: names).map { [$0] } ?? []
        idColumns = isNumbered ? [] : key.isEmpty ? found : key
        hasKeyColumn = !key.isEmpty && key != found
        idName = idColumns.first.map { names.all[$0] }
        let ownColumn = hasKeyColumn ? nil : idColumns.first
        let sourceNames =
            omitted.isEmpty ? names.all : names.all.map(PublicColumnName.source(of:))
        let ids = Self.ids(for: sourceNames, besides: omitted, key: ownColumn)
        let padded = idColumns.count == 1 ? facts(idColumns[0]).paddedReading : nil
        let areIntegers =
            idColumns.count < 2 && idColumns.allSatisfy { padded != nil || facts($0).areIntegers }
        let isTextID = idColumns.contains { options.type(of: ids[$0]) == .text }
        idType = areIntegers && !isTextID ? .integer : .text
        var columns: [Column] = []
        var keyed: Set<Int> = []
        var exceptions: [Exceptions] = []
        var readings: [Int: ColumnReading] = [:]
        var spellings: [Spelling] = []
        for (position, name) in sourceNames.enumerated() {
            let label = Column.label(from: name)
            guard position != ownColumn else {
                if idType == .integer { readings[position] = padded }
                let column = Column(ids[position], label: label, type: idType)
                columns.append(column.named(inFiles: name))
                continue
            }
            let facts = facts(position)
            let declared = options.declared[name]
            let fitting = declared.flatMap {
                !$0.type.isText && facts.fits($0.type) ? $0.type : nil
            }
            let typing = facts.typing(options, as: options.type(of: ids[position]) ?? fitting)
            let form = declared?.type == typing.type ? declared : nil
            guard !omitted.contains(position) else {
                columns.append(Column(ids[position], type: typing.type))
                continue
            }
            readings[position] = typing.reading
            let column = Column(
                ids[position],
                label: label,
                type: typing.type,
                isMixed: typing.isMixed
            )
            columns.append(
                column.named(inFiles: name).formatted(as: typing.format ?? form?.format)
                    .spelled(as: typing.reading?.spelling ?? form?.spelling)
            )
            if typing.isKeyed { keyed.insert(position) }
            if let spelling = typing.spelling(of: ids[position], among: facts.count)
                ?? Self.excludedSpelling(of: ids[position], facts, options)
            {
                spellings.append(spelling)
            }
            guard typing.exceptionCount > 0 else { continue }
            exceptions.append(
                Exceptions(
                    column: ids[position],
                    type: typing.expectedType ?? typing.type,
                    count: typing.exceptionCount,
                    total: facts.count,
                    examples: facts.exceptions(
                        to: typing.expectedType ?? typing.type,
                        typing.reading
                    ).map {
                        Exceptions.Example(text: $0.text, count: $0.count)
                    }
                )
            )
        }
        self.columns = columns
        self.keyed = keyed
        self.exceptions = exceptions
        (self.readings, self.spellings) = (readings, spellings)
        renames = names.all.indices
            .filter { $0 != ownColumn && names.written[$0] != ids[$0] }
            .map { Rename(name: names.written[$0], id: ids[$0]) }
    }

    /// The spelling of values that a given order of dates, or a given sign in numbers, does not fit.
    private static func excludedSpelling(
        of column: String,
        _ facts: ColumnProfile,
        _ options: ImportOptions
    ) -> Spelling? {
        let free = options.withoutSpellings
        guard free != options, options.type(of: column) != .text else { return nil }
        let typing = facts.typing(free, as: options.type(of: column))
        guard var spelling = typing.spelling(of: column, among: facts.count) else { return nil }
        spelling.isExcluded = spelling.reading != nil
        return spelling
    }

    /// Those of omitted columns are their names.
    private static func ids(for names: [String], besides omitted: Set<Int>, key: Int?) -> [String] {
        let kept = names.indices.filter { !omitted.contains($0) }
        var ids = names
        let found = PublicColumnName.ids(
            for: kept.map { names[$0] },
            key: key.flatMap(kept.firstIndex(of:))
        )
        for (position, id) in zip(kept, found) { ids[position] = id }
        return ids
    }
}
