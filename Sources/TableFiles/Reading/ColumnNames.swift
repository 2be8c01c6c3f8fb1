/// The columns of a file in the order of their first appearance.
///
/// All names differ. A column without a name becomes `column_3` by its place, and a name that
/// occurs again becomes `city_2`.
package struct ColumnNames: Sendable {
    /// The names, unique and without control characters.
    package private(set) var all: [String] = []
    /// The names as written in the file.
    package private(set) var written: [String] = []
    /// The place of the first occurrence of each name.
    package private(set) var places: [FileLocation] = []
    private var positions: [String: Int] = [:]

    package init() {}

    /// The position of a column, by its name in the file or its unique name.
    package func position(of name: String) -> Int? { positions[name] }

    /// Adds a column at the end.
    ///
    /// - Throws: ``FileError`` when the name is too long, or there are too many columns.
    package mutating func append(_ name: String, at place: FileLocation) throws(FileError) {
        guard name.utf8.count <= FileLimits.maximumNameBytes else {
            throw FileError(.columnNameTooLong(limit: FileLimits.maximumNameBytes), at: place)
        }
        guard all.count < FileLimits.maximumColumns else {
            throw FileError(.tooManyColumns(limit: FileLimits.maximumColumns), at: place)
        }
        let unique = unique(name)
        if positions[name] == nil { positions[name] = all.count }
        positions[unique] = all.count
        all.append(unique)
        written.append(name)
        places.append(place)
    }

    private func unique(_ name: String) -> String {
        var base = ""
        for scalar in name.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            base.unicodeScalars.append(isControl ? " " : scalar)
        }
        if base.allSatisfy({ $0 == " " }) { base = "column_\(all.count + 1)" }
        var candidate = base
        var number = 2
        while let taken = positions[candidate], all[taken] == candidate {
            candidate = "\(base)_\(number)"
            number += 1
        }
        return candidate
    }
}
