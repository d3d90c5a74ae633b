// swift-tools-version: 6.2
import PackageDescription

// A server on Hummingbird that sends each change of a list to its clients. The server-sent events come from Coffer's
// sequences. The package also contains the same server on GRDB, and a program that measures both servers.

let coffer: [Target.Dependency] = ["Coffer", "CofferConfiguration"].map { .product(name: $0, package: "coffer") }
let http: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]

/// The servers on both libraries, and the packages that their clients need.
let bothServers: [Target.Dependency] = [
    "GRDBKennel",
    "KennelMessages",
    "LiveKennel",
    .product(name: "GRDB", package: "GRDB.swift"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]

let package = Package(
    name: "server-integration",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "coffer", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "KennelMessages", dependencies: http),
        .target(name: "LiveKennel", dependencies: coffer + http + ["KennelMessages"]),
        .executableTarget(
            name: "KennelServer",
            dependencies: coffer + ["LiveKennel", .product(name: "Hummingbird", package: "hummingbird")]
        ),
        .target(
            name: "GRDBKennel",
            dependencies: http + ["KennelMessages", .product(name: "GRDB", package: "GRDB.swift")]
        ),
        .executableTarget(
            name: "KennelLoad",
            dependencies: coffer + http + bothServers + [
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "LiveKennelTests",
            dependencies: coffer + http + bothServers
        ),
    ],
    swiftLanguageModes: [.v6]
)
