import Foundation
import SQLite

final class TemporaryFolder {
    let path: String

    init() {
        let name = "roster-sqlite-\(UInt64.random(in: 0...UInt64.max))"
        path = FileManager.default.temporaryDirectory.path + "/" + name
        let made: Void? = try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false
        )
        precondition(made != nil, "no folder at \(path)")
    }

    deinit {
        // What cannot be removed is left to the system, which empties its temporary folder.
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> DatabaseLocation { .file(path + "/" + name) }
}
