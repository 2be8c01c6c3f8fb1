import Foundation

package final class ScratchFolder: Sendable {
    package let path: String

    /// Makes an empty folder.
    package init() throws {
        let name = "roster-test-\(UInt64.random(in: 0...UInt64.max))"
        path = FileManager.default.temporaryDirectory.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // What cannot be removed is left to the system, which empties its temporary folder.
        try? FileManager.default.removeItem(atPath: path)
    }

    package func write(_ bytes: [UInt8], to name: String) throws {
        let location = URL(filePath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: location.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: location)
    }

    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path + "/" + name,
            withDestinationPath: target
        )
    }

    package func truncate(_ name: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path + "/" + name))
        try file.truncate(atOffset: 0)
        try file.close()
    }
}
