// swift-tools-version: 6.1
import PackageDescription

let coffer: [Target.Dependency] = ["Coffer", "CofferInMemory", "CofferSQLite", "CofferConfiguration"].map {
    .product(name: $0, package: "coffer")
}

let package = Package(
    name: "quickstart",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "quickstart", targets: ["QuickStart"])],
    dependencies: [.package(name: "coffer", path: "../..")],
    targets: [
        .executableTarget(name: "QuickStart", dependencies: coffer),
        // The first program of the README, and the snippets.
        .executableTarget(name: "ReadMe", dependencies: coffer),
        .executableTarget(name: "Snippets", dependencies: coffer),
    ],
    swiftLanguageModes: [.v6]
)
