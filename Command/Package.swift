// swift-tools-version: 6.1
import PackageDescription

// The `coffer` command is a separate package, so that the libraries do not have its dependencies.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

func coffer(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: "Coffer" + $0, package: "coffer") }
}

let package = Package(
    name: "coffer-command",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "coffer", targets: ["CofferCommand"])],
    dependencies: [
        .package(name: "coffer", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "CofferCommand",
            dependencies: coffer(
                "Storage", "StorageTools", "Records", "Clauses", "Configuration", "Conformance", "InMemory", "SQL",
                "SQLite", "PostgreSQL")
                + [
                    .product(name: "ArgumentParser", package: "swift-argument-parser")
                ],
            swiftSettings: settings
        ),
        // Creates the large store that scripts/copy-check copies.
        .executableTarget(
            name: "StoreMaker", dependencies: coffer("Storage", "StorageTools", "Configuration"),
            swiftSettings: settings
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: ["CofferCommand"]
                + coffer("Storage", "StorageTools", "Records", "Configuration", "SQLite", "PostgreSQL"),
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
