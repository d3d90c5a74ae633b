// swift-tools-version: 6.1
import PackageDescription

// The architecture as a table. Arrows point up only: a target may depend on targets listed above it, no backend on
// objects, clauses or transactions, and no module on a backend. The prefix `Coffer` is written once, in the helpers.

let prefix = "Coffer"

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

func target(_ folder: String, in parent: String, _ dependencies: [String]) -> Target {
    .target(
        name: prefix + folder,
        dependencies: dependencies.map { .init(stringLiteral: $0.first == "C" && $0.dropFirst().first?.isUppercase == true ? $0 : prefix + $0) },
        path: "\(parent)/\(folder)",
        swiftSettings: settings
    )
}

func module(_ folder: String, _ dependencies: String...) -> Target { target(folder, in: "Modules", dependencies) }
func backend(_ folder: String, _ dependencies: String...) -> Target { target(folder, in: "Backends", dependencies) }

func tests(_ folder: String, _ dependencies: String...) -> Target {
    .testTarget(
        name: folder + "Tests",
        dependencies: dependencies.map { .init(stringLiteral: $0 == "TestSupport" ? $0 : prefix + $0) },
        path: "Tests/\(folder)Tests",
        swiftSettings: settings
    )
}

let modules: [Target] = [
    module("Storage"),
    module("Conformance", "Storage"),
]

let backends: [Target] = [
    backend("InMemory", "Storage"),
    backend("SQL", "Storage"),
    .systemLibrary(
        name: "CSQLite", path: "Backends/CSQLite", pkgConfig: "sqlite3",
        providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
    ),
    backend("SQLite", "Storage", "SQL", "CSQLite"),
]

let testTargets: [Target] = [
    tests("Storage", "Storage"),
    tests("Conformance", "Conformance", "InMemory", "Storage"),
    tests("InMemory", "InMemory", "Conformance", "Storage"),
    tests("SQL", "Storage", "SQL"),
    tests("SQLite", "Storage", "SQL", "SQLite", "Conformance"),
]

let package = Package(
    name: "coffer",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: (modules + backends).filter { $0.type == .regular && $0.name.hasPrefix(prefix) }.map { .library(name: $0.name, targets: [$0.name]) },
    targets: modules + backends + testTargets,
    swiftLanguageModes: [.v6]
)
