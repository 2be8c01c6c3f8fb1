package import Listings

/// How the columns of a file become those of a list.
///
/// A column named `id`, else one named `ID` or `Id`, gives the ids of the rows and is the column `id`
/// of the list; without one the rows are numbered from 1 in the order of the file.
package struct ImportPlan: Sendable {
    /// A column that is listed under another name than the file's: see ``PublicColumnName``.
    package struct Rename: Hashable, Sendable {
        /// The name in the file.
        package let name: String
        /// The id of the column in the list.
        package let id: String
    }

    /// The position in the file of the column that gives the ids; nil numbers the rows.
    package let idColumn: Int?
    /// The name of that column in the file.
    package let idName: String?
    /// The type of the ids: integer or text.
    package let idType: ColumnType
    /// The columns of the list, each at its position in the file.
    package let columns: [Column]
    /// The positions of all columns but the one that gives the ids.
    package var valueColumns: [Int] { columns.indices.filter { $0 != idColumn } }
    /// The positions of the columns with values of all types.
    package let keyed: Set<Int>
    /// The columns that could not keep their name.
    package let renames: [Rename]
    /// The columns that are presented as a type which some of their values do not have.
    package let exceptions: [Exceptions]

    /// The values of a column that are not of the type it is presented as.
    package struct Exceptions: Hashable, Sendable {
        /// The id of the column.
        package let column: String
        /// The type.
        package let type: ColumnType
        /// The number of such values.
        package let count: Int
        /// The number of all values.
        package let total: Int
        /// The most frequent of them, each with its number.
        package let examples: [Example]

        /// A text and how often it stands in the column.
        package struct Example: Hashable, Sendable {
            /// The text.
            package let text: String
            /// Its number.
            package let count: Int
        }
    }

    /// The position of the column that gives the ids; nil where none does.
    package static func idColumn(of names: ColumnNames) -> Int? {
        names.position(of: "id") ?? names.all.firstIndex { $0 == "ID" || $0 == "Id" }
    }

    /// Plans a list.
    ///
    /// - Parameters:
    ///   - names: The columns of the file.
    ///   - survey: What is in them.
    ///   - options: The types that columns are given.
    package init(
        _ names: ColumnNames,
        survey: FileSurvey,
        options: ImportOptions = ImportOptions()
    ) {
        func facts(_ position: Int) -> ColumnFacts {
            position < survey.facts.count ? survey.facts[position] : ColumnFacts()
        }
        let idColumn = Self.idColumn(of: names)
        self.idColumn = idColumn
        idName = idColumn.map { names.all[$0] }
        let ids = PublicColumnName.ids(for: names.all, key: idColumn)
        let areIntegers = idColumn.map { facts($0).areIntegers } ?? true
        let isTextID = idColumn.map { options.type(of: ids[$0]) == .text } ?? false
        idType = areIntegers && !isTextID ? .integer : .text
        var columns: [Column] = []
        var keyed: Set<Int> = []
        var exceptions: [Exceptions] = []
        for (position, name) in names.all.enumerated() {
            let label = Column.label(from: name)
            guard position != idColumn else {
                columns.append(Column(ids[position], label: label, type: idType))
                continue
            }
            let facts = facts(position)
            let given = options.type(of: ids[position])
            let type = given ?? facts.type
            // A column that is given the type text holds nothing else.
            let isMixed = given != .text && facts.isMixed(as: type)
            columns.append(Column(ids[position], label: label, type: type, isMixed: isMixed))
            if given != .text, facts.isKeyed(as: type) { keyed.insert(position) }
            guard let found = facts.exceptions(to: type) else { continue }
            exceptions.append(
                Exceptions(
                    column: ids[position],
                    type: type,
                    count: found.count,
                    total: facts.count,
                    examples: found.texts.map { Exceptions.Example(text: $0.text, count: $0.count) }
                )
            )
        }
        self.columns = columns
        self.keyed = keyed
        self.exceptions = exceptions
        renames = names.all.indices
            .filter { $0 != idColumn && names.all[$0] != ids[$0] }
            .map { Rename(name: names.all[$0], id: ids[$0]) }
    }
}
