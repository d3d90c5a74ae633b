// swift-tools-version: 6.2
import PackageDescription

// A program that uses Combine's publishers on Linux. Like any program, it enables the trait of Coffer.

let coffer: [Target.Dependency] = [
    "Coffer", "CofferInMemory", "CofferPostgreSQL", "CofferReactive", "CofferSQLite",
].map { .product(name: $0, package: "coffer") }

let package = Package(
    name: "reactive-integration",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "coffer", path: "../..", traits: ["Reactive"]),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .testTarget(
            name: "ReactiveTests",
            dependencies: coffer + [.product(name: "OpenCombineShim", package: "OpenCombine")]
        )
    ],
    swiftLanguageModes: [.v6]
)
