// swift-tools-version: 6.2
import Foundation
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

/// The modules of the script of the pages.
let scripts = [
    "board", "cells", "changes", "columns", "cursor", "document", "drafts", "dragging", "editing",
    "filters", "keyboard", "layout", "main", "navigation", "panel", "pickers", "preferences",
    "scrolling", "selection", "times", "writing",
]

func library(
    _ name: String,
    _ dependencies: [Target.Dependency],
    embedding files: [String] = []
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        resources: files.map { .embedInCode($0) },
        swiftSettings: settings
    )
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
        .library(name: "Listings", targets: ["Listings", "ListDiff", "MemoryLists"]),
        .library(name: "HTTPServer", targets: ["HTTPServer", "HTTP"]),
        .library(name: "Remote", targets: ["Remote"]),
        .library(name: "Roster", targets: ["Roster"]),
        .library(name: "RosterClient", targets: ["RosterClient"]),
    ],
    targets: [
        library("Bytes", []),
        .target(name: "CLinux"),
        library("Locks", []),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        library("System", ["Bytes", "CLinux", "CZlib", "Locks"]),
        library("HTTP", ["Bytes"]),
        library("HTTPServer", ["Bytes", "HTTP", "Locks", "System"]),
        library("JSON", ["Bytes"]),
        library("Listings", ["Bytes", "JSON"]),
        library("ListDiff", ["Bytes", "Listings"]),
        library("MemoryLists", ["Bytes", "ListDiff", "Listings", "Locks"]),
        library(
            "Rendering",
            ["Bytes", "JSON", "ListDiff", "Listings"],
            embedding: [
                "Articles/Problems.md", "Articles/Querying.md", "Public/favicon.svg",
                "Public/style.css", "Texts/German.txt", "Texts/Hebrew.txt",
            ] + scripts.map { "Public/scripts/\($0).js" }
        ),
        library("TableFiles", ["Bytes", "JSON", "Listings"]),
        library("Archives", ["Bytes", "CZlib"]),
        .target(name: "CExpat"),
        library("Workbooks", ["Archives", "Bytes", "CExpat", "TableFiles"]),
        library("Database", ["Bytes", "Listings", "Locks"]),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        library(
            "SQLite",
            [
                "Archives", "Bytes", "CSQLite", "Database", "Listings", "Locks", "System",
                "TableFiles", "Workbooks",
            ]
        ),
        .target(name: "CPostgres"),
        library(
            "Postgres",
            ["Bytes", "CPostgres", "Database", "JSON", "Listings", "Locks", "System"]
        ),
        library(
            "RemoteLists",
            [
                "Bytes", "Database", "JSON", "Listings", "Locks", "MemoryLists", "System",
                "TableFiles",
            ]
        ),
        library("Remote", ["RemoteCodable", "RemoteCurl", "RemoteLists"]),
        library("RemoteCodable", ["RemoteLists"]),
        library("RosterClient", []),
        .target(name: "CCurl"),
        library("RemoteCurl", ["CCurl", "Locks", "RemoteLists", "System"]),
        library(
            "ListAPI",
            [
                "Bytes", "Database", "HTTP", "HTTPServer", "JSON", "ListDiff", "Listings", "Locks",
                "Rendering", "SQLite", "System", "TableFiles",
            ]
        ),
        library(
            "RosterProgram",
            [
                "Archives", "Bytes", "Database", "HTTP", "HTTPServer", "JSON", "ListAPI",
                "ListDiff", "Listings", "Locks", "MemoryLists", "Postgres", "RemoteLists",
                "Rendering", "SQLite", "System", "TableFiles", "Workbooks",
            ]
        ),
        library(
            "Roster",
            [
                "Bytes", "HTTP", "HTTPServer", "ListAPI", "ListDiff", "Listings", "Locks",
                "MemoryLists", "RemoteLists", "RemoteCodable", "RemoteCurl", "Rendering",
                "RosterProgram", "System",
            ]
        ),
        .executableTarget(
            name: "RosterCLI",
            dependencies: ["ListAPI", "RemoteLists", "RemoteCurl", "RosterProgram", "System"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// An image is built without the tests.
if FileManager.default.fileExists(atPath: Context.packageDirectory + "/Tests") {
    package.targets += [
        // Measures pages of ten million rows; here because it looks at the work of the engine, which
        // no product shows.
        .executableTarget(
            name: "RowsBenchmark",
            dependencies: [
                "Bytes", "Database", "ListAPI", "Listings", "RosterProgram", "SQLite",
                "TestSupport",
            ],
            path: "Tests/RowsBenchmark",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // What pieces of the work cost in instructions and allocations; here because they are the
        // package's own.
        .executableTarget(
            name: "CountsBenchmark",
            dependencies: [
                "Bytes", "HTTP", "ListAPI", "ListDiff", "Listings", "MemoryLists", "Rendering",
                "RosterProgram", "TestSupport",
            ],
            path: "Tests/CountsBenchmark",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .target(
            name: "TestSupport",
            dependencies: [
                "Bytes", "CZlib", "HTTP", "HTTPServer", "ListDiff", "Listings", "Locks", "System",
            ],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        // Lists and a client for the tests of what serves them.
        .target(
            name: "ListAPITestSupport",
            dependencies: [
                "Bytes", "HTTP", "HTTPServer", "ListAPI", "Listings", "MemoryLists",
                "RosterProgram", "TestSupport",
            ],
            path: "Tests/ListAPITestSupport",
            swiftSettings: settings
        ),
        // The program of the README, built with the settings that an embedder starts with. The tests
        // type-check the programs of the other pages.
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
            dependencies: ["Listings", "MemoryLists", "Roster"],
            path: "Tests/DifferentialExample",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        tests("Bytes", ["Bytes"]),
        tests(
            "RosterClient",
            ["HTTP", "HTTPServer", "ListAPI", "Roster", "RosterClient", "RosterProgram"]
        ),
        tests("Locks", ["Locks"]),
        tests("System", ["Bytes", "System"]),
        tests("HTTP", ["Bytes", "HTTP"]),
        tests("HTTPServer", ["Bytes", "HTTP", "HTTPServer", "Locks", "System"]),
        tests("JSON", ["JSON"]),
        tests("Listings", ["Bytes", "Listings"]),
        tests("ListDiff", ["ListDiff", "Listings"]),
        tests("MemoryLists", ["Bytes", "ListDiff", "Listings", "Locks", "MemoryLists"]),
        tests("Rendering", ["Bytes", "Listings", "MemoryLists", "Rendering"]),
        tests("TableFiles", ["Bytes", "JSON", "Listings", "TableFiles"]),
        tests("Archives", ["Archives", "Bytes"]),
        tests(
            "Workbooks",
            ["Archives", "Bytes", "TableFiles", "Workbooks"],
            excluding: ["Fixtures"]
        ),
        tests(
            "Database",
            [
                "Archives", "Bytes", "Database", "Listings", "Locks", "MemoryLists", "Postgres",
                "SQLite", "TableFiles", "Workbooks",
            ]
        ),
        tests(
            "Remote",
            [
                "Bytes", "Database", "HTTP", "HTTPServer", "ListAPI", "Listings", "Locks",
                "MemoryLists", "RemoteLists", "RemoteCodable", "RemoteCurl", "RosterProgram",
                "System",
                "TableFiles",
                .target(name: "RosterCLI"),
            ]
        ),
        tests(
            "ListAPI",
            [
                "Bytes", "Database", "HTTP", "HTTPServer", "JSON", "ListAPI",
                "ListAPITestSupport", "ListDiff", "Listings", "Locks", "MemoryLists", "Postgres",
                "Rendering", "Roster", "RosterProgram", "SQLite", "System", "TableFiles",
            ],
            excluding: ["Replay/Recorded"]
        ),
        tests(
            "Roster",
            [
                "Bytes", "Database", "HTTP", "HTTPServer", "ListAPI", "ListAPITestSupport",
                "Listings", "Locks", "MemoryLists", "RemoteLists", "Rendering", "Roster",
                "RosterProgram",
                "SQLite", "System", "TableFiles",
            ]
        ),
        tests("Integration", ["Bytes", "HTTP", "Locks", "RosterClient", "System", "SQLite"]),
        tests("Repository", []),
        // `.ci/fuzz` compiles the same files with the fuzzer.
        tests(
            "Fuzzing",
            ["Archives", "Bytes", "HTTP", "Listings", "TableFiles", "Workbooks"],
            excluding: ["Corpus", "requests.py"]
        ),
    ]
}
