/// Where a database lives.
package enum DatabaseLocation: Hashable, Sendable {
    /// A file; the path is what the kernel takes, any bytes but NUL.
    case file([UInt8])
    /// The memory of this process, shared by all connections that use the name.
    ///
    /// It is there while at least one connection is. Letters, digits and hyphens are allowed.
    case memory(String)

    /// A file.
    package static func file(_ path: String) -> DatabaseLocation { .file(Array(path.utf8)) }

    /// A new database in memory that nobody else knows.
    package static func uniqueMemory() -> DatabaseLocation {
        .memory("m\(UInt64.random(in: 0...UInt64.max))")
    }
}

/// What a connection may do.
package enum DatabaseAccess: Hashable, Sendable {
    /// Nothing can be written and nothing is created.
    case readOnly
    /// Everything; a missing file is created, files are kept in write-ahead mode and a commit is
    /// durable.
    case readWrite
}
