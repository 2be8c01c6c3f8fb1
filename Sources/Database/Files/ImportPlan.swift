package import Listings

/// How the columns of a file become those of a list.
///
/// A column named `id`, else one named `ID` or `Id`, gives the ids of the rows and is no column of
/// the list; without one the rows are numbered from 1 in the order of the file.
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
    /// The columns of the list.
    package let columns: [Column]
    /// The position in the file of each column of the list.
    package let positions: [Int]
    /// The positions in the list of the columns with values of all types.
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
    package init(_ names: ColumnNames, survey: FileSurvey) {
        func facts(_ position: Int) -> ColumnFacts {
            position < survey.facts.count ? survey.facts[position] : ColumnFacts()
        }
        let idColumn = Self.idColumn(of: names)
        self.idColumn = idColumn
        idName = idColumn.map { names.all[$0] }
        idType = idColumn.map { facts($0).areIntegers } ?? true ? .integer : .text
        positions = names.all.indices.filter { $0 != idColumn }
        let listed = positions.map { names.all[$0] }
        let ids = PublicColumnName.ids(for: listed)
        columns = zip(positions, zip(ids, listed)).map { position, names in
            Column(
                names.0,
                label: Column.label(from: names.1),
                type: facts(position).type,
                isMixed: facts(position).isMixed
            )
        }
        keyed = Set(
            positions.enumerated().filter { facts($0.element).isKeyed }.map(\.offset)
        )
        exceptions = zip(positions, ids).compactMap { position, id in
            facts(position).exceptions.map { found in
                Exceptions(
                    column: id,
                    type: facts(position).type,
                    count: found.count,
                    total: facts(position).count,
                    examples: found.texts.map { Exceptions.Example(text: $0.text, count: $0.count) }
                )
            }
        }
        renames = zip(listed, ids).filter { $0 != $1 }.map { Rename(name: $0, id: $1) }
    }
}
