// swift-tools-version: 6.2
import PackageDescription

// A server whose clients follow a list as it changes: Coffer's sequences as server-sent events, on Hummingbird.

let coffer: [Target.Dependency] = ["Coffer", "CofferConfiguration"].map { .product(name: $0, package: "coffer") }

let package = Package(
    name: "server-integration",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "coffer", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .target(
            name: "LiveKennel",
            dependencies: coffer + [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "KennelServer",
            dependencies: coffer + ["LiveKennel", .product(name: "Hummingbird", package: "hummingbird")]
        ),
        .testTarget(
            name: "LiveKennelTests",
            dependencies: [
                "LiveKennel",
                .product(name: "Coffer", package: "coffer"),
                .product(name: "CofferConfiguration", package: "coffer"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
