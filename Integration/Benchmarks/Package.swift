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
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CBenchmarkSQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            // Coffer's peers wait for the library's upper layers. Then this line goes, the products Coffer, CofferInMemory
            // and CofferSQLite join the dependencies, and Peers.swift lists them.
            exclude: ["Peers/Coffer"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
