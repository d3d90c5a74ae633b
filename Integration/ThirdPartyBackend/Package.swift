// swift-tools-version: 6.1
import PackageDescription

// A backend of a third party: a separate package that uses only the public API of four products.

let package = Package(
    name: "third-party-backend",
    platforms: [.macOS(.v15)],
    products: [.library(name: "JSONFileStorage", targets: ["JSONFileStorage"])],
    dependencies: [.package(name: "coffer", path: "../..")],
    targets: [
        .target(
            name: "JSONFileStorage",
            dependencies: ["CofferStorage", "CofferEvaluation", "CofferStorageTools"].map {
                .product(name: $0, package: "coffer")
            }
        ),
        .testTarget(
            name: "JSONFileStorageTests",
            dependencies: ["JSONFileStorage", .product(name: "CofferConformance", package: "coffer")]
        ),
        // Other packages use these names as well. All of these targets build and run beside Coffer.
        .target(name: "CSQLite"),
        .target(name: "CLibPQ"),
        .target(name: "Neighbour"),
        .testTarget(
            name: "NeighbourTests",
            dependencies: ["CSQLite", "CLibPQ", "Neighbour"]
                + ["Coffer", "CofferInMemory", "CofferSQLite", "CofferPostgreSQL"].map {
                    .product(name: $0, package: "coffer")
                }
        ),
    ],
    swiftLanguageModes: [.v6]
)
