/// All names differ.
///
/// A column without a name becomes `column_3` by its place, and a name that occurs again becomes
/// `city_2`.
package struct ColumnNames: Sendable {
    /// Unique and without control characters.
    package private(set) var all: [String] = []
    package private(set) var written: [String] = []
    package private(set) var locations: [FileLocation] = []
    private var positions: [String: Int] = [:]

    package init() {}

    /// By the name in the file or the unique name.
    package func position(of name: String) -> Int? { positions[name] }

    package mutating func append(_ name: String, at location: FileLocation) throws(FileError) {
        guard name.utf8.count <= FileLimits.maximumNameBytes else {
            throw FileError(.columnNameTooLong(limit: FileLimits.maximumNameBytes), at: location)
        }
        guard all.count < FileLimits.maximumColumns else {
            throw FileError(.tooManyColumns(limit: FileLimits.maximumColumns), at: location)
        }
        let unique = unique(name)
        if positions[name] == nil { positions[name] = all.count }
        positions[unique] = all.count
        all.append(unique)
        written.append(name)
        locations.append(location)
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
