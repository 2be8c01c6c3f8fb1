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
    /// The columns that could not keep their name.
    package let renames: [Rename]

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
        func type(_ position: Int) -> ColumnType {
            position < survey.facts.count ? survey.facts[position].type : .text
        }
        let idColumn = Self.idColumn(of: names)
        self.idColumn = idColumn
        idName = idColumn.map { names.all[$0] }
        let idValues = idColumn.map(type) ?? .integer
        idType = idValues == .integer ? .integer : .text
        positions = names.all.indices.filter { $0 != idColumn }
        let listed = positions.map { names.all[$0] }
        let ids = PublicColumnName.ids(for: listed)
        columns = zip(positions, zip(ids, listed)).map { position, names in
            Column(names.0, label: Column.label(from: names.1), type: type(position))
        }
        renames = zip(listed, ids).filter { $0 != $1 }.map { Rename(name: $0, id: $1) }
    }
}
