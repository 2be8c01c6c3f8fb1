package import Listings

/// How the columns of a file become those of a list.
///
/// A column named `id`, else one named `ID` or `Id`, gives the ids of the rows and is no column of
/// the list; without one the rows are numbered from 1 in the order of the file.
package struct ImportPlan: Sendable {
    /// A column that is listed under another name than the file's.
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

    /// Plans a list.
    ///
    /// - Parameters:
    ///   - names: The columns of the file.
    ///   - survey: What is in them.
    /// - Throws: ``FileError`` when two columns would have one name.
    package init(_ names: ColumnNames, survey: FileSurvey) throws(FileError) {
        func type(_ position: Int) -> ColumnType {
            position < survey.facts.count ? survey.facts[position].type : .text
        }
        let idColumn =
            names.position(of: "id")
            ?? names.all.firstIndex { $0 == "ID" || $0 == "Id" }
        let aliases = try ColumnAliases(names, except: idColumn)
        self.idColumn = idColumn
        idName = idColumn.map { names.all[$0] }
        idType = idColumn.map(type) ?? .integer == .integer ? .integer : .text
        positions = names.all.indices.filter { $0 != idColumn }
        columns = positions.map { position in
            let name = names.all[position]
            return Column(
                aliases.ids[position] ?? name,
                label: Column.label(from: name),
                type: type(position)
            )
        }
        renames = positions.compactMap { position in
            aliases.ids[position].map { Rename(name: names.all[position], id: $0) }
        }
    }
}

/// Finds ids for the columns whose names cannot stand in addresses or in an SQLite table.
///
/// - Signs of the query language are replaced: `,`, `:` and a `-` in front by `_`, and several `_`
///   in a row by one: `a__b` is listed as `a_b`.
/// - `_` is appended to reserved words, and to a name that differs from an earlier one only by the
///   case of ASCII letters, which SQLite does not tell apart: `limit` is listed as `limit_`.
///
/// Where that is another column's name, the file is refused rather than a third name invented.
private struct ColumnAliases {
    /// The ids of the columns that need another than their name, by position.
    private(set) var ids: [Int: String] = [:]

    /// The columns that every table has.
    private static let tableColumns: Set<String> = ["id", "roster_revision"]

    init(_ names: ColumnNames, except idColumn: Int?) throws(FileError) {
        var taken = Self.tableColumns
        // Columns that keep their name come first, so that an alias never takes it from them.
        var waiting: [(position: Int, id: String)] = []
        for (position, name) in names.all.enumerated() where position != idColumn {
            let legible = Self.legible(name)
            let isReserved = ListSchema.reservedIDs.contains(legible)
            if legible == name, !isReserved, taken.insert(Self.folded(name)).inserted { continue }
            let isTaken = legible == name && !isReserved
            waiting.append((position, isReserved || isTaken ? legible + "_" : legible))
        }
        for (position, id) in waiting {
            guard !id.contains("__"), taken.insert(Self.folded(id)).inserted else {
                throw FileError(
                    .columnNameTaken(names.all[position], listedAs: id),
                    at: names.places[position]
                )
            }
            ids[position] = id
        }
    }

    /// The name without the signs that mean something in addresses.
    private static func legible(_ name: String) -> String {
        var id = ""
        for scalar in name.unicodeScalars {
            let isSign = scalar == "," || scalar == ":" || (scalar == "-" && id.isEmpty)
            let next = isSign ? "_" : scalar
            if next == "_", id.unicodeScalars.last == "_" { continue }
            id.unicodeScalars.append(next)
        }
        return id
    }

    /// The name as SQLite compares it.
    private static func folded(_ name: String) -> String {
        String(
            decoding: name.utf8.map { byte in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            },
            as: UTF8.self
        )
    }
}
