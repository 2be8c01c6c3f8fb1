/// The columns of a file in the order of their first appearance.
package struct ColumnNames: Sendable {
    /// The names as written in the file.
    package private(set) var all: [String] = []
    /// The place of the first occurrence of each name.
    package private(set) var places: [FileLocation] = []
    private var positions: [String: Int] = [:]

    /// Creates a list without columns.
    package init() {}

    /// The position of a column.
    package func position(of name: String) -> Int? { positions[name] }

    /// Adds a column at the end.
    ///
    /// - Throws: ``FileError`` when the name is not a valid column name.
    package mutating func append(_ name: String, at place: FileLocation) throws(FileError) {
        guard !name.isEmpty else { throw FileError(.emptyColumnName, at: place) }
        guard name.utf8.count <= FileLimits.maximumNameBytes else {
            throw FileError(.columnNameTooLong(limit: FileLimits.maximumNameBytes), at: place)
        }
        guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw FileError(.controlCharacterInColumnName, at: place) }
        guard positions[name] == nil else { throw FileError(.duplicateColumn(name), at: place) }
        guard all.count < FileLimits.maximumColumns else {
            throw FileError(.tooManyColumns(limit: FileLimits.maximumColumns), at: place)
        }
        positions[name] = all.count
        all.append(name)
        places.append(place)
    }
}
