// swift-tools-version: 6.1
import PackageDescription

// This file lists the layers of the architecture. A target depends only on targets that are listed above it. No backend
// depends on objects, clauses or transactions, and no module depends on a backend. The helper functions add the
// prefix `Coffer` to the names.

let prefix = "Coffer"

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

func named(_ name: String) -> Target.Dependency { .init(stringLiteral: prefix + name) }

func target(_ folder: String, in parent: String, _ dependencies: [String]) -> Target {
    .target(
        name: folder == prefix ? prefix : prefix + folder,
        dependencies: dependencies.map(named),
        path: "\(parent)/\(folder)",
        swiftSettings: settings
    )
}

func module(_ folder: String, _ dependencies: String...) -> Target { target(folder, in: "Modules", dependencies) }
func backend(_ folder: String, _ dependencies: String...) -> Target { target(folder, in: "Backends", dependencies) }

/// - Parameter isStranger: whether the tests see only the declarations that a program outside of the package sees.
func tests(_ folder: String, _ dependencies: String..., isStranger: Bool = false) -> Target {
    .testTarget(
        name: folder + "Tests",
        dependencies: dependencies.map {
            ["TestSupport", "CrashProbe", prefix].contains($0) ? .init(stringLiteral: $0) : named($0)
        },
        path: "Tests/\(folder)Tests",
        packageAccess: !isStranger,
        swiftSettings: settings
    )
}

let modules: [Target] = [
    module("Storage"),
    module("Evaluation", "Storage"),
    module("StorageTools", "Storage", "Evaluation"),
    .target(name: prefix + "CCursor", path: "Modules/CCursor"),
    module("Schema", "Storage", "StorageTools", "CCursor"),
    module("Migration", "Storage", "StorageTools", "Schema"),
    module("Clauses", "Storage", "Evaluation", "StorageTools", "Schema"),
    module("Transactions", "Storage", "Evaluation", "StorageTools", "Schema", "Migration", "Clauses"),
    module("Observation", "Storage", "Evaluation", "StorageTools", "Schema", "Clauses", "Transactions"),
    module("Records", "Storage"),
    module("Import", "Storage", "Records", "Schema", "Clauses", "Transactions"),
    module("Conformance", "Storage", "Evaluation", "StorageTools"),
    module(
        "Coffer", "Storage", "StorageTools", "Schema", "Clauses", "Transactions", "Observation", "Records", "Import",
        "Migration"),
    module("DataSources", "Storage", "Schema", "Transactions", "Observation"),
    module("SwiftUI", "Storage", "Schema", "Clauses", "Transactions", "Observation"),
]

let backends: [Target] = [
    backend("InMemory", "Storage", "Evaluation", "StorageTools"),
    backend("SQL", "Storage", "Evaluation", "StorageTools"),
    .systemLibrary(
        name: prefix + "CSQLite", path: "Backends/CSQLite", pkgConfig: "sqlite3",
        providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
    ),
    backend("SQLite", "Storage", "Evaluation", "StorageTools", "SQL", "CSQLite"),
    .systemLibrary(
        name: prefix + "CLibPQ", path: "Backends/CLibPQ", pkgConfig: "libpq",
        providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
    ),
    backend("PostgreSQL", "Storage", "Evaluation", "StorageTools", "SQL", "CLibPQ"),
    backend("Configuration", "Storage", "StorageTools", "InMemory", "SQLite", "PostgreSQL"),
]

/// The test targets that the variable `COFFER_TESTS` names, as in `COFFER_TESTS=Release,SQLite`.
///
/// Without this variable, the package has all test targets. SwiftPM builds every test target of a package, even for a
/// single test.
let chosenTests = Context.environment["COFFER_TESTS"]?.split(separator: ",").map { String($0) + "Tests" }

let testTargets: [Target] = [
    .target(
        name: "TestSupport",
        dependencies: ["Coffer", "CofferStorage", "CofferInMemory", "CofferSQLite", "CofferPostgreSQL"],
        path: "Tests/Support", swiftSettings: settings
    ),
    .executableTarget(
        name: "CrashProbe", dependencies: ["Coffer", "CofferStorage", "CofferSQLite"], path: "Tests/CrashProbe",
        swiftSettings: settings
    ),
    .executableTarget(
        name: "ContentionProbe", dependencies: ["Coffer", "CofferStorage", "CofferConfiguration", "CofferCLibPQ"],
        path: "Tests/ContentionProbe", swiftSettings: settings
    ),
    .executableTarget(
        name: "TortureProbe",
        dependencies: ["Coffer", "CofferStorage", "CofferConfiguration", "CofferCSQLite", "CofferCLibPQ"],
        path: "Tests/TortureProbe", swiftSettings: settings
    ),
    tests("Release", "Coffer", "InMemory", "SQLite", "PostgreSQL", "TestSupport", isStranger: true),
    tests("Storage", "Storage", "TestSupport"),
    tests("Evaluation", "Evaluation", "Storage", "TestSupport"),
    tests("StorageTools", "StorageTools", "TestSupport"),
    tests("Schema", "Coffer", "Schema", "Storage", "InMemory", "SQLite", "TestSupport", isStranger: true),
    tests("Clauses", "Clauses", "Schema", "Storage", "Evaluation", "StorageTools", "TestSupport"),
    tests("Conformance", "Conformance", "InMemory", "SQLite", "PostgreSQL", "Storage", "StorageTools", "TestSupport"),
    tests("InMemory", "InMemory", "Conformance", "Storage", "Evaluation", "StorageTools", "TestSupport"),
    tests("Transactions", "Coffer", "Storage", "StorageTools", "Schema", "Transactions", "TestSupport"),
    tests(
        "Migration", "Coffer", "Storage", "StorageTools", "Schema", "Migration", "InMemory", "SQLite", "PostgreSQL",
        "TestSupport"),
    tests("Observation", "Coffer", "Storage", "Observation", "TestSupport"),
    tests("DataSources", "Coffer", "DataSources", "Storage", "TestSupport"),
    tests("Import", "Coffer", "Records", "Storage", "TestSupport"),
    tests("Random", "Coffer", "Storage", "StorageTools", "Transactions", "TestSupport"),
    tests("Descriptions", "Coffer", "Storage", "InMemory", "SQLite", "PostgreSQL", "TestSupport", isStranger: true),
    tests("SQL", "Storage", "StorageTools", "SQL", "TestSupport"),
    tests(
        "Configuration", "Configuration", "Coffer", "Storage", "InMemory", "SQLite", "PostgreSQL", "TestSupport"),
    tests(
        "PostgreSQL", "Coffer", "Storage", "StorageTools", "SQL", "PostgreSQL", "CLibPQ", "Conformance", "TestSupport"),
    tests(
        "SQLite", "Coffer", "Storage", "StorageTools", "SQL", "SQLite", "CSQLite", "Conformance", "CrashProbe",
        "TestSupport"),
].filter { $0.type != .test || chosenTests?.contains($0.name) != false }

let package = Package(
    name: "coffer",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: (modules + backends).filter { $0.type == .regular && $0.name != prefix + "CCursor" }
        .map { .library(name: $0.name, targets: [$0.name]) },
    targets: modules + backends + testTargets,
    swiftLanguageModes: [.v6]
)

// Each dependency on another package has a trait. A program that does not enable the trait does not resolve the
// dependency. See docs/decisions/0019.
#if compiler(>=6.2)
    package.traits.insert(
        .trait(name: "SwiftConfiguration", description: "Stores from the settings of apple/swift-configuration"))
    package.dependencies.append(
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []))
    package.targets.append(
        .target(
            name: prefix + "SwiftConfiguration",
            dependencies: [
                named("Storage"), named("Configuration"),
                .product(
                    name: "Configuration", package: "swift-configuration",
                    condition: .when(traits: ["SwiftConfiguration"])
                ),
            ],
            path: "Backends/SwiftConfiguration",
            swiftSettings: settings
        ))
    package.products.append(
        .library(name: prefix + "SwiftConfiguration", targets: [prefix + "SwiftConfiguration"]))

    package.traits.insert(
        .trait(name: "Reactive", description: "Publishers of OpenCombine, on platforms without Combine"))
    package.dependencies.append(.package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"))
    package.targets.append(
        .target(
            name: prefix + "Reactive",
            dependencies: ["Storage", "Schema", "Clauses", "Transactions", "Observation", "Import", "Migration"]
                .map(named) + [
                    .product(
                        name: "OpenCombine", package: "OpenCombine",
                        condition: .when(platforms: [.linux, .android, .windows], traits: ["Reactive"])
                    )
                ],
            path: "Modules/Reactive",
            swiftSettings: settings
        ))
    package.products.append(.library(name: prefix + "Reactive", targets: [prefix + "Reactive"]))
#endif
