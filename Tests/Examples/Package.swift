// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Hello",
    dependencies: [.package(path: "../susi")],
    targets: [
        .executableTarget(name: "Hello", dependencies: [.product(name: "Susi", package: "susi")]),
        .testTarget(
            name: "HelloTests",
            dependencies: [
                .product(name: "Susi", package: "susi"), .product(name: "SusiEmulator", package: "susi"),
            ]),
    ]
)
