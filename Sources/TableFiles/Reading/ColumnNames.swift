/// The columns of a file in the order of their first appearance.
///
/// All names differ. A column without a name becomes `column_3` by its place, and a name that
/// occurs again becomes `city_2`.
package struct ColumnNames: Sendable {
    /// Unique and without control characters.
    package private(set) var all: [String] = []
    package private(set) var written: [String] = []
    /// That of the first occurrence of each name.
    package private(set) var places: [FileLocation] = []
    private var positions: [String: Int] = [:]

    package init() {}

    /// By the name in the file or the unique name.
    package func position(of name: String) -> Int? { positions[name] }

    /// Fails when the name is too long, or there are too many columns.
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
