// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "coffer", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CBenchmarkSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(
            name: "CBenchmarkPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CBenchmarkSQLite",
                "CBenchmarkPostgreSQL",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Coffer", package: "coffer"),
                .product(name: "CofferInMemory", package: "coffer"),
                .product(name: "CofferPostgreSQL", package: "coffer"),
                .product(name: "CofferSQLite", package: "coffer"),
                .product(name: "CofferStorage", package: "coffer"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
