internal import Listings

package enum TableNames {
    /// Names lose the folders that all share, and the ending, and follow
    /// ``ListName/allowed(from:)``.
    ///
    /// The only table has the name of the file. `hasEndings` says that the paths have the ending of
    /// a format.
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
            let own = hasEndings ? (folders + [name[...]]).joined(separator: "-") : name
            let list = ListName.free(ListName.allowed(from: own), besides: taken)
            taken.insert(list.lowercased())
            return list
        }
    }

    private static func sharedFolders(of paths: [String]) -> Int {
        let folders = paths.map { Array($0.split(separator: "/").dropLast()) }
        let first = folders.first ?? []
        return first.indices.first { index in
            folders.contains { $0.count <= index || $0[index] != first[index] }
        } ?? first.count
    }
}
