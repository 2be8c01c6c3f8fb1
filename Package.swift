// swift-tools-version: 6.2
import PackageDescription

/// Every target is built alike: no implicit existentials or re-exports, unsafe code marked where it
/// stands, and no warning left.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

func library(
    _ name: String,
    _ dependencies: [Target.Dependency],
    plugins: [Target.PluginUsage] = []
) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings, plugins: plugins)
}

func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    excluding folders: [String] = []
) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: ["TestSupport"] + dependencies,
        exclude: folders,
        swiftSettings: settings
    )
}

let package = Package(
    name: "roster",
    products: [
        .executable(name: "roster", targets: ["RosterCLI"]),
        .library(name: "Listings", targets: ["Listings"]),
        .library(name: "HTTPServer", targets: ["HTTPServer", "HTTP"]),
        .library(name: "Remote", targets: ["Remote", "RemoteSession"]),
        .library(name: "Roster", targets: ["Roster"]),
        .library(name: "RosterClient", targets: ["RosterClient"]),
    ],
    targets: [
        library("Bytes", []),
        .target(name: "CLinux"),
        library("Digest", []),
        library("Locks", []),
        library("Sockets", ["Bytes", "CLinux", "Locks"]),
        library("HTTP", ["Bytes"]),
        library("HTTPServer", ["Bytes", "HTTP", "Locks", "Sockets"]),
        library("Routing", ["HTTP"]),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        library("Compression", ["Bytes", "CZlib"]),
        library("Listings", ["Bytes", "Digest", "Locks"]),
        .executableTarget(
            name: "EmbedAssets",
            path: "Sources/EmbedAssets/Tool",
            swiftSettings: settings
        ),
        .plugin(
            name: "EmbedAssetsPlugin",
            capability: .buildTool(),
            dependencies: ["EmbedAssets"],
            path: "Sources/EmbedAssets/Plugin"
        ),
        library("Rendering", ["Bytes", "Listings"], plugins: ["EmbedAssetsPlugin"]),
        library("Database", ["Bytes", "Listings"]),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        library("SQLite", ["Bytes", "CSQLite", "Database", "Listings", "Locks"]),
        .target(name: "CPostgres"),
        library("Postgres", ["Bytes", "CPostgres", "Database", "Listings", "Locks", "Sockets"]),
        library("Users", ["Listings"]),
        library("Remote", ["Bytes", "Database", "Listings", "Locks", "Sockets"]),
        library("RemoteSession", ["Curl", "Locks", "Remote"]),
        library("RosterClient", []),
        .target(name: "CCurl"),
        library("Curl", ["CCurl", "Remote", "Sockets"]),
        library(
            "Roster",
            [
                "Bytes", "Compression", "Database", "Digest", "HTTP", "HTTPServer", "Listings",
                "Locks",
                "Postgres", "Remote", "Rendering", "Routing", "SQLite", "Sockets", "Users",
            ]
        ),
        .executableTarget(
            name: "RosterCLI",
            dependencies: ["Curl", "Remote", "Roster", "Sockets"],
            swiftSettings: settings
        ),

        // Measures pages of ten million rows; here because it looks at the work of the engine, which
        // no product shows.
        .executableTarget(
            name: "RowsBenchmark",
            dependencies: [
                "Bytes", "Database", "Listings", "Roster", "SQLite", "TestSupport", "Users",
            ],
            path: "Benchmarks/Sources/Rows",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // What pieces of the work cost in instructions and allocations; here because they are the
        // package's own.
        .executableTarget(
            name: "CountsBenchmark",
            dependencies: [
                "Bytes", "Compression", "HTTP", "Listings", "Rendering", "Roster", "Routing",
                "TestSupport", "Users",
            ],
            path: "Benchmarks/Sources/Counts",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .target(
            name: "TestSupport",
            dependencies: ["Bytes", "CZlib", "HTTP", "HTTPServer", "Locks", "Sockets"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        // The program of the README, built with the settings an embedder starts with.
        .executableTarget(
            name: "ReadmeExample",
            dependencies: ["Roster"],
            path: "Tests/ReadmeExample",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // What the tests in a browser ask of lists that files are not.
        .executableTarget(
            name: "BrowserExample",
            dependencies: ["Roster"],
            path: "Tests/BrowserExample",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // Serves from an async program, whose other threads were started before.
        .executableTarget(
            name: "AsyncExample",
            dependencies: ["Roster"],
            path: "Tests/AsyncExample",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // Lists in memory for the differential tests.
        .executableTarget(
            name: "DifferentialExample",
            dependencies: ["Roster"],
            path: "Tests/DifferentialExample",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        tests("Bytes", ["Bytes"]),
        tests("RosterClient", ["HTTPServer", "Roster", "RosterClient"]),
        tests("Digest", ["Digest"]),
        tests("Locks", ["Locks"]),
        tests("Sockets", ["Sockets"]),
        tests("HTTP", ["Bytes", "HTTP"]),
        tests("HTTPServer", ["Bytes", "HTTP", "HTTPServer", "Locks", "Sockets"]),
        tests("Compression", ["Bytes", "Compression"]),
        tests("Routing", ["HTTP", "Routing"]),
        tests("Listings", ["Bytes", "Listings", "Locks"]),
        tests("Rendering", ["Bytes", "Listings", "Rendering"], excluding: ["Golden"]),
        tests("Database", ["Bytes", "Database", "Listings"]),
        tests("SQLite", ["Bytes", "Database", "Listings", "Postgres", "SQLite"]),
        tests("Postgres", ["Bytes", "Database", "Listings", "Postgres"]),
        tests("Users", ["Bytes", "Listings", "Users"]),
        tests(
            "Remote",
            [
                "Bytes", "Database", "HTTP", "HTTPServer", "Listings", "Locks", "Remote",
                "RemoteSession",
                "Roster", "Sockets", .target(name: "RosterCLI"),
            ]
        ),
        tests(
            "Roster",
            [
                "Bytes", "Database", "HTTP", "HTTPServer", "Listings", "Locks", "Postgres",
                "Remote", "Rendering", "Roster", "SQLite", "Sockets",
            ],
            excluding: ["Replay/Recorded"]
        ),
        tests("Integration", ["Bytes", "HTTP", "Locks", "RosterClient", "Sockets", "SQLite"]),
        tests("Repository", []),
    ],
    swiftLanguageModes: [.v6]
)
