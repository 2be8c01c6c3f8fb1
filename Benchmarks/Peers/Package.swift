// swift-tools-version: 6.2
import PackageDescription

/// The servers that `make bench` compares with, each written as its documentation shows; a package
/// of its own, because nothing else needs what they depend on.
let package = Package(
    name: "peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "benchmarks", path: ".."),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git",
            exact: "2.28.1"
        ),
        .package(
            url: "https://github.com/hummingbird-project/swift-mustache.git",
            exact: "2.1.1"
        ),
        .package(url: "https://github.com/swhitty/FlyingFox.git", exact: "0.27.1"),
    ],
    targets: [
        .target(
            name: "ListPage",
            dependencies: [.product(name: "People", package: "benchmarks")]
        ),
        .executableTarget(
            name: "HummingbirdUsers",
            dependencies: [
                "ListPage",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Mustache", package: "swift-mustache"),
            ]
        ),
        .executableTarget(
            name: "FlyingFoxUsers",
            dependencies: ["ListPage", .product(name: "FlyingFox", package: "FlyingFox")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
