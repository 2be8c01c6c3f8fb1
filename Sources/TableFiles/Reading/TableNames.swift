/// The names of lists for the tables of a file.
package enum TableNames {
    /// Returns a name for each table, all of which differ even ignoring case.
    ///
    /// The only table has the name of the file. Other names lose the folders that all share, and
    /// the ending. Slashes become dashes, and names that occur again get a number.
    ///
    /// - Parameters:
    ///   - paths: The paths of entries, or the names of sheets.
    ///   - file: The path of the file.
    ///   - hasEndings: Whether the paths have the ending of a format.
    /// - Returns: The names, in the order of the paths.
    package static func names(
        for paths: [String],
        in file: String,
        hasEndings: Bool
    ) -> [String] {
        guard paths.count > 1 else { return paths.map { _ in FileFormat.name(ofFileAt: file) } }
        let shared = hasEndings ? sharedFolders(of: paths) : 0
        var taken: Set<String> = []
        return paths.map { path in
            let folders = path.split(separator: "/").dropFirst(shared).dropLast()
            let name = hasEndings ? FileFormat.name(ofFileAt: path) : path
            let base = allowed(
                hasEndings ? (folders + [name[...]]).joined(separator: "-") : name
            )
            var candidate = base
            var number = 2
            while !taken.insert(candidate.lowercased()).inserted {
                candidate = "\(base)-\(number)"
                number += 1
            }
            return candidate
        }
    }

    private static func sharedFolders(of paths: [String]) -> Int {
        let folders = paths.map { Array($0.split(separator: "/").dropLast()) }
        let first = folders.first ?? []
        return first.indices.first { index in
            folders.contains { $0.count <= index || $0[index] != first[index] }
        } ?? first.count
    }

    /// Returns a name that lists may have.
    private static func allowed(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F
            text.unicodeScalars.append(scalar == "/" ? "-" : isControl ? " " : scalar)
        }
        while text.last == " " { text.removeLast() }
        text = String(text.drop { $0 == " " })
        let lowered = text.lowercased()
        let isReserved = lowered.hasPrefix("sqlite_") || lowered.hasPrefix("roster_")
        if ["", "-", ".", ".."].contains(text) { return "table" }
        return isReserved ? "table-\(text)" : text
    }
}
