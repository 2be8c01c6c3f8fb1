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
        let idType: ColumnType = idValues == .integer ? .integer : .text
        self.idType = idType
        let ids = PublicColumnName.ids(for: names.all, key: idColumn)
        columns = names.all.enumerated().map { position, name in
            Column(
                ids[position],
                label: Column.label(from: name),
                type: position == idColumn ? idType : type(position)
            )
        }
        renames = names.all.indices
            .filter { $0 != idColumn && names.all[$0] != ids[$0] }
            .map { Rename(name: names.all[$0], id: ids[$0]) }
    }
}
