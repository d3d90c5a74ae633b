// swift-tools-version: 6.2
import PackageDescription

// A program with settings from apple/swift-configuration. Like any program, it enables the trait of Coffer.

let package = Package(
    name: "swift-configuration-integration",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "coffer", path: "../..", traits: ["SwiftConfiguration"]),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["JSON"]),
    ],
    targets: [
        .testTarget(
            name: "SwiftConfigurationTests",
            dependencies: [
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Coffer", package: "coffer"),
                .product(name: "CofferInMemory", package: "coffer"),
                .product(name: "CofferPostgreSQL", package: "coffer"),
                .product(name: "CofferSQLite", package: "coffer"),
                .product(name: "CofferSwiftConfiguration", package: "coffer"),
            ],
            // swift-configuration has the same setting: a provider's functions run on the actor of their caller.
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        )
    ],
    swiftLanguageModes: [.v6]
)
