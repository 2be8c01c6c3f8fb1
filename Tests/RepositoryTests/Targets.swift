/// Which modules each target may import: the arrows of the design, which point down only.
enum Targets {
    /// The repository's own modules, for each target that is written in Swift.
    ///
    /// The manifest must say the same; what a target imports may be less.
    static let arrows: [String: Set<String>] = [
        "Bytes": [],
        "Locks": [],
        "System": ["Bytes", "CLinux", "CZlib", "Locks"],
        "HTTP": ["Bytes"],
        "HTTPServer": ["Bytes", "HTTP", "Locks", "System"],
        "JSON": ["Bytes"],
        "Listings": ["Bytes", "JSON"],
        "ListDiff": ["Bytes", "Listings"],
        "MemoryLists": ["Bytes", "ListDiff", "Listings", "Locks"],
        "Rendering": ["Bytes", "JSON", "ListDiff", "Listings"],
        "TableFiles": ["Bytes", "JSON", "Listings"],
        "Database": ["Bytes", "Listings", "Locks"],
        "Archives": ["Bytes", "CZlib"],
        "Workbooks": ["Archives", "Bytes", "CExpat", "TableFiles"],
        "SQLite": [
            "Archives", "Bytes", "CSQLite", "Database", "Listings", "Locks", "System",
            "TableFiles", "Workbooks",
        ],
        "Postgres": ["Bytes", "CPostgres", "Database", "JSON", "Listings", "Locks", "System"],
        "Remote": ["RemoteCodable", "RemoteCurl", "RemoteLists"],
        "RemoteLists": [
            "Bytes", "Database", "JSON", "Listings", "Locks", "MemoryLists", "System", "TableFiles",
        ],
        "RemoteCodable": ["RemoteLists"],
        "RemoteCurl": ["CCurl", "Locks", "RemoteLists", "System"],
        "ListAPI": [
            "Bytes", "Database", "HTTP", "HTTPServer", "JSON", "ListDiff", "Listings", "Locks",
            "Rendering", "SQLite", "System", "TableFiles",
        ],
        "RosterProgram": [
            "Archives", "Bytes", "Database", "HTTP", "HTTPServer", "JSON", "ListAPI", "ListDiff",
            "Listings", "Locks", "MemoryLists", "Postgres", "RemoteLists", "Rendering", "SQLite",
            "System", "TableFiles", "Workbooks",
        ],
        "Roster": [
            "Bytes", "HTTP", "HTTPServer", "ListAPI", "ListDiff", "Listings", "Locks",
            "MemoryLists", "RemoteCodable", "RemoteCurl", "RemoteLists", "Rendering",
            "RosterProgram", "System",
        ],
        "RosterClient": [],
        "RosterCLI": ["ListAPI", "RemoteLists", "RemoteCurl", "RosterProgram", "System"],
        "ReadmeExample": ["Roster"],
        "BrowserExample": ["Roster"],
        "AsyncExample": ["Roster"],
        "DifferentialExample": ["Listings", "MemoryLists", "Roster"],
        "CountsBenchmark": [
            "Bytes", "HTTP", "ListAPI", "ListDiff", "Listings", "MemoryLists", "Rendering",
            "RosterProgram", "TestSupport",
        ],
        "RowsBenchmark": [
            "Bytes", "Database", "ListAPI", "Listings", "RosterProgram", "SQLite", "TestSupport",
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
        "System": ["Glibc", "Synchronization"],
        "HTTPServer": ["Glibc", "Synchronization"],
        "SQLite": ["Glibc", "Synchronization"],
        "Postgres": ["Glibc"],
        "ListAPI": ["Synchronization"],
        "RosterProgram": ["Glibc", "Synchronization"],
        "Roster": ["FoundationEssentials"],
        "AsyncExample": ["Glibc"],
        "RosterCLI": ["Glibc"],
        "RemoteCodable": ["FoundationEssentials"],
        "RemoteCurl": ["Dispatch"],
        // Runs in other programs, on Apple's platforms too.
        "RosterClient": ["Foundation", "FoundationNetworking"],
    ]

    static let withUnsafeCode: Set<String> = [
        "Archives", "Bytes", "HTTPServer", "Locks", "Postgres", "RemoteCurl", "SQLite",
        "System", "Workbooks",
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
