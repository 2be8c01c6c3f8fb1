// swift-tools-version: 6.2
import PackageDescription

/// Programs that show and measure the libraries; a package of its own, so that building the server
/// builds none of them.
let package = Package(
    name: "benchmarks",
    products: [
        .executable(name: "echo", targets: ["Echo"]),
        .executable(name: "differences", targets: ["Differences"]),
        .executable(name: "pages", targets: ["Pages"]),
        .executable(name: "users", targets: ["ServedUsers"]),
        .library(name: "People", targets: ["People"]),
    ],
    dependencies: [.package(name: "roster", path: "..")],
    targets: [
        // Built with the settings an embedder starts with.
        .executableTarget(
            name: "Echo",
            dependencies: [.product(name: "HTTPServer", package: "roster")],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // Counts how often memory is asked for.
        .target(name: "Allocations"),
        .executableTarget(
            name: "Differences",
            dependencies: ["Allocations", .product(name: "Listings", package: "roster")],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "Pages",
            dependencies: [.product(name: "Listings", package: "roster")],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .target(name: "People", swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "ServedUsers",
            dependencies: [
                "People", .product(name: "Listings", package: "roster"),
                .product(name: "Roster", package: "roster"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ],
    swiftLanguageModes: [.v6]
)
