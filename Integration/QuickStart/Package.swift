// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "quickstart",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "quickstart", targets: ["QuickStart"])],
    dependencies: [.package(name: "coffer", path: "../..")],
    targets: [
        .executableTarget(
            name: "QuickStart",
            dependencies: [
                .product(name: "Coffer", package: "coffer"),
                .product(name: "CofferInMemory", package: "coffer"),
                .product(name: "CofferSQLite", package: "coffer"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
