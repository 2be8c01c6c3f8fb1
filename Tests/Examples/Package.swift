// swift-tools-version: 6.2
import PackageDescription

// Programs as embedders write them; `.ci/test-examples` builds, runs and checks them.
let package = Package(
    name: "examples",
    dependencies: [.package(name: "roster", path: "../..")],
    targets: ["Library", "Colours", "Phone", "Todos"].map { name in
        .executableTarget(
            name: name,
            dependencies: [.product(name: "Roster", package: "roster")],
            swiftSettings: [.treatAllWarnings(as: .error)]
        )
    }
)
