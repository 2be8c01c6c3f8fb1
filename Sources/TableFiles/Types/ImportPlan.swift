package import Listings

/// The mapping from the columns of a file to those of a list.
///
/// A column named `id`, otherwise one named `ID` or `Id`, holds the row ids and becomes the column
/// `id`. Without one, rows are numbered from 1 in the order of the file. The options may name other
/// columns with the ids, which then stay columns of their own.
package struct ImportPlan: Sendable {
    /// A column whose id in the list differs from its name in the file; see ``PublicColumnName``.
    package struct Rename: Hashable, Sendable {
        /// The name in the file.
        package let name: String
        /// The id of the column in the list.
        package let id: String
    }

    /// The positions of the id columns in the file; empty if rows are numbered.
    package let idColumns: [Int]
    /// The name of the first id column in the file.
    package let idName: String?
    /// The type of the ids: integer or text.
    package let idType: ColumnType
    /// The columns of the list, each at its position in the file.
    package let columns: [Column]
    /// Whether the id column is also a column of the list.
    private let hasKeyColumn: Bool
    /// The positions of the columns that the table stores besides the ids.
    package var valueColumns: [Int] {
        columns.indices.filter { hasKeyColumn || $0 != idColumns.first }
    }
    /// The positions of the columns with values of all types.
    package let keyed: Set<Int>
    /// The columns whose names were changed.
    package let renames: [Rename]
    /// The columns with values that are not of the column's type.
    package let exceptions: [Exceptions]
    /// The columns of numbers in which some begin with 0, as postal codes do.
    package let leadingZeros: [LeadingZeros]

    /// The numbers of a column that begin with 0.
    package struct LeadingZeros: Hashable, Sendable {
        /// The id of the column.
        package let column: String
        /// The number of them.
        package let count: Int
        /// The number of all values.
        package let total: Int
        /// The first of them.
        package let example: String
    }

    /// The values of a column that are not of its type.
    package struct Exceptions: Hashable, Sendable {
        /// The id of the column.
        package let column: String
        package let type: ColumnType
        /// The number of these values.
        package let count: Int
        /// The number of all values.
        package let total: Int
        /// The most frequent of these values, each with its number of occurrences.
        package let examples: [Example]

        /// A text with its number of occurrences in the column.
        package struct Example: Hashable, Sendable {
            package let text: String
            /// The number of occurrences.
            package let count: Int
        }
    }

    /// The position of the id column, or nil if there is none.
    package static func idColumn(of names: ColumnNames) -> Int? {
        names.position(of: "id") ?? names.all.firstIndex { $0 == "ID" || $0 == "Id" }
    }

    /// Plans an import.
    ///
    /// - Parameters:
    ///   - names: The columns of the file.
    ///   - survey: The statistics of their values.
    ///   - options: The types set for columns.
    ///   - isNumbered: Whether rows are numbered although a column has the name of ids.
    package init(
        _ names: ColumnNames,
        survey: SchemaInference,
        options: ImportOptions = ImportOptions(),
        isNumbered: Bool = false
    ) {
        func facts(_ position: Int) -> ColumnProfile {
            position < survey.facts.count ? survey.facts[position] : ColumnProfile()
        }
        let key = options.key.compactMap(names.position(of:))
        let found = Self.idColumn(of: names).map { [$0] } ?? []
        idColumns = isNumbered ? [] : key.isEmpty ? found : key
        hasKeyColumn = !key.isEmpty && key != found
        idName = idColumns.first.map { names.all[$0] }
        let ownColumn = hasKeyColumn ? nil : idColumns.first
        let ids = PublicColumnName.ids(for: names.all, key: ownColumn)
        let areIntegers = idColumns.count < 2 && idColumns.allSatisfy { facts($0).areIntegers }
        let isTextID = idColumns.contains { options.type(of: ids[$0]) == .text }
        idType = areIntegers && !isTextID ? .integer : .text
        var columns: [Column] = []
        var keyed: Set<Int> = []
        var exceptions: [Exceptions] = []
        var leadingZeros: [LeadingZeros] = []
        for (position, name) in names.all.enumerated() {
            let label = Column.label(from: name)
            guard position != ownColumn else {
                let column = Column(ids[position], label: label, type: idType)
                columns.append(column.named(inFiles: name))
                continue
            }
            let facts = facts(position)
            let given = options.type(of: ids[position])
            let type = given ?? facts.type
            // A column whose type is set to text stores texts only.
            let isMixed = given != .text && facts.isMixed(as: type)
            let column = Column(ids[position], label: label, type: type, isMixed: isMixed)
            columns.append(column.named(inFiles: name))
            if given != .text, facts.isKeyed(as: type) { keyed.insert(position) }
            if given == nil, type == .integer || type == .real, let zeros = facts.leadingZeros {
                leadingZeros.append(
                    LeadingZeros(
                        column: ids[position],
                        count: zeros.count,
                        total: facts.count,
                        example: zeros.example
                    )
                )
            }
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
        self.leadingZeros = leadingZeros
        renames = names.all.indices
            .filter { $0 != ownColumn && names.written[$0] != ids[$0] }
            .map { Rename(name: names.written[$0], id: ids[$0]) }
    }
}
