package enum DatabaseLocation: Hashable, Sendable {
    /// A file, whose path may contain any bytes except NUL.
    case file([UInt8])
    /// It exists while at least one connection does. The name consists of letters, digits and
    /// hyphens.
    case memory(String)

    package static func file(_ path: String) -> DatabaseLocation { .file(Array(path.utf8)) }

    package static func uniqueMemory() -> DatabaseLocation {
        .memory("m\(UInt64.random(in: 0...UInt64.max))")
    }
}

package enum DatabaseAccess: Hashable, Sendable {
    case readOnly
    /// The connection can read and write. A missing file is created, files use write-ahead mode,
    /// and a commit is durable.
    case readWrite
    /// The connection writes to a file of another program. The file exists, and its journal mode
    /// stays. A commit is durable.
    case writeForeign

    var isForWriting: Bool { self != .readOnly }
}
