/// Which modules each target may import: the arrows of the design, which point down only.
enum Targets {
    /// The repository's own modules, for each target that is written in Swift.
    ///
    /// The manifest must say the same; what a target imports may be less.
    static let arrows: [String: Set<String>] = [
        "Bytes": [],
        "Digest": [],
        "Locks": [],
        "Sockets": ["Bytes", "CLinux", "Locks"],
        "HTTP": ["Bytes"],
        "HTTPServer": ["Bytes", "HTTP", "Locks", "Sockets"],
        "Routing": ["HTTP"],
        "Compression": ["Bytes", "CZlib"],
        "Listings": ["Bytes", "Digest", "Locks"],
        "Rendering": ["Bytes", "Listings"],
        "Database": ["Bytes", "Listings"],
        "SQLite": ["Bytes", "CSQLite", "Database", "Listings", "Locks"],
        "Postgres": ["Bytes", "CPostgres", "Database", "Listings", "Locks", "Sockets"],
        "Users": ["Listings"],
        "Remote": ["Bytes", "Database", "Listings", "Locks", "Sockets"],
        "RemoteSession": ["Curl", "Locks", "Remote"],
        "Curl": ["CCurl", "Remote", "Sockets"],
        "Roster": [
            "Bytes", "Compression", "Database", "Digest", "HTTP", "HTTPServer", "Listings", "Locks",
            "Postgres", "Remote", "Rendering", "Routing", "SQLite", "Sockets", "Users",
        ],
        "RosterClient": [],
        "RosterCLI": ["Curl", "Remote", "Roster", "Sockets"],
        "ReadmeExample": ["Roster"],
        "BrowserExample": ["Roster"],
        "AsyncExample": ["Roster"],
        "DifferentialExample": ["Roster"],
        "CountsBenchmark": [
            "Bytes", "Compression", "HTTP", "Listings", "Rendering", "Roster", "Routing",
            "TestSupport", "Users",
        ],
        "RowsBenchmark": [
            "Bytes", "Database", "Listings", "Roster", "SQLite", "TestSupport", "Users",
        ],
    ]

    /// The modules of the toolchain, for the targets with effects.
    ///
    /// The others, but for one, are pure and import none. Foundation is only where embedders ask for it: in the
    /// program it would be most of it.
    static let toolchain: [String: Set<String>] = [
        // For the address that an atomic value has, nothing else: see `AddressOnly`.
        "Bytes": ["Synchronization"],
        "Locks": ["Glibc", "Synchronization"],
        "Sockets": ["Glibc", "Synchronization"],
        "HTTPServer": ["Glibc", "Synchronization"],
        "SQLite": ["Glibc", "Synchronization"],
        "Postgres": ["Glibc"],
        "Roster": ["Glibc", "Synchronization"],
        "RosterCLI": ["Glibc"],
        "RemoteSession": ["Dispatch", "Foundation"],
        // Runs in other programs, on Apple's platforms too.
        "RosterClient": ["Foundation", "FoundationNetworking"],
    ]

    /// The targets that may hold unsafe code, all of it marked and with its reason.
    static let withUnsafeCode: Set<String> = [
        "Bytes", "Compression", "Curl", "HTTPServer", "Locks", "Postgres", "SQLite",
        "Sockets",
    ]

    /// The dependencies the manifest declares, for each target that is written in Swift and is not
    /// a test.
    static func declared(inManifest text: String) -> [String: Set<String>] {
        var declared: [String: Set<String>] = [:]
        let library = /library\(\s*"(?<name>\w+)",\s*\[(?<dependencies>[^\]]*)\]/
        let executable =
            /\.executableTarget\(\s*name:\s*"(?<name>\w+)",(\s*dependencies:\s*\[(?<dependencies>[^\]]*)\])?/
        for match in text.matches(of: library) {
            declared[String(match.name)] = names(in: match.dependencies)
        }
        for match in text.matches(of: executable) {
            declared[String(match.name)] = names(in: match.dependencies ?? "")
        }
        return declared
    }

    private static func names(in list: Substring) -> Set<String> {
        Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
    }
}
