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
        .library(name: "Roster", targets: ["Roster"]),
    ],
    targets: [
        library("Bytes", []),
        .target(name: "CLinux"),
        library("Locks", []),
        library("Sockets", ["CLinux", "Locks"]),
        library("HTTP", ["Bytes"]),
        library("HTTPServer", ["Bytes", "HTTP", "Locks", "Sockets"]),
        library("Routing", ["HTTP"]),
        library("Listings", ["Bytes", "Locks"]),
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
        library("SQLite", ["Bytes", "CSQLite", "Database", "Listings"]),
        library("Users", ["Listings"]),
        library(
            "Roster",
            [
                "Bytes", "Database", "HTTP", "HTTPServer", "Listings", "Locks", "Rendering",
                "Routing", "SQLite", "Sockets", "Users",
            ]
        ),
        .executableTarget(
            name: "RosterCLI",
            dependencies: ["Roster", "Sockets"],
            swiftSettings: settings
        ),

        .target(
            name: "TestSupport",
            dependencies: ["Bytes", "HTTP", "HTTPServer", "Locks", "Sockets"],
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
        tests("Bytes", ["Bytes"]),
        tests("Locks", ["Locks"]),
        tests("Sockets", ["Sockets"]),
        tests("HTTP", ["Bytes", "HTTP"]),
        tests("HTTPServer", ["Bytes", "HTTP", "HTTPServer", "Sockets"]),
        tests("Routing", ["HTTP", "Routing"]),
        tests("Listings", ["Bytes", "Listings", "Locks"]),
        tests("Rendering", ["Bytes", "Listings", "Rendering"], excluding: ["Golden"]),
        tests("Database", ["Bytes", "Database", "Listings"]),
        tests("SQLite", ["Bytes", "Database", "Listings", "SQLite"]),
        tests("Users", ["Bytes", "Listings", "Users"]),
        tests("Roster", ["Bytes", "HTTP", "HTTPServer", "Listings", "Roster"]),
        tests("Integration", []),
        tests("Repository", []),
    ],
    swiftLanguageModes: [.v6]
)
