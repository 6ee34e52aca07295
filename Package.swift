// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")

let package = Package(
    name: "susi",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "susi", targets: ["SusiCommand"]),
        .executable(name: "susi-launcher", targets: ["SusiLauncher"]),
        .library(name: "Susi", targets: ["Susi"]),
        .library(name: "SusiEmulator", targets: ["SusiEmulator"]),
        // For tests: loaded into a program that is to be killed.
        .library(name: "KillAtStep", type: .dynamic, targets: ["KillAtStep"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CKeyring"),
        .target(name: "SusiSQLite", dependencies: ["CSQLite"]),
        .target(name: "SusiBase", dependencies: [system]),
        .target(name: "SusiPolicies", dependencies: ["SusiBase"]),
        .target(name: "SusiJourneys", dependencies: ["SusiBase"]),
        .target(name: "SusiOAuth", dependencies: ["SusiBase", "SusiPolicies", crypto, cryptoExtras]),
        .target(
            name: "SusiStore",
            dependencies: [
                "SusiBase", "SusiSQLite", "SusiPolicies", "SusiOAuth", "CKeyring", crypto, cryptoExtras, system,
            ],
            resources: [.embedInCode("Schema/schema.sql")]),
        .target(
            name: "SusiHTTP",
            dependencies: [
                "SusiBase", "SusiPolicies", "SusiOAuth", nioCore, nioPosix, nioHTTP1, nioSSL, system,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        .target(
            name: "Susi",
            dependencies: ["SusiBase", "SusiPolicies", "SusiOAuth", "SusiStore", "SusiHTTP", system, subprocess]),
        .target(
            name: "SusiTools", dependencies: ["Susi", "SusiBase", "SusiPolicies", "SusiOAuth", "SusiStore", system]),
        .target(
            name: "SusiEmulator",
            dependencies: [
                "SusiBase", "SusiPolicies", "SusiSQLite", "SusiJourneys", crypto, cryptoExtras, system, nioCore,
                nioPosix, nioSSL, nioHTTP1,
                asn1, .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Resources")]),
        .target(name: "SusiStartup", dependencies: ["SusiBase", "SusiPolicies", "SusiOAuth", "SusiStore", system]),
        .executableTarget(name: "SusiLauncher", dependencies: ["SusiBase", "SusiStartup", "SusiPolicies", system]),
        .executableTarget(
            name: "SusiCommand",
            dependencies: [
                "SusiBase", "Susi", "SusiTools", "SusiJourneys", "SusiEmulator", "SusiStartup", system, subprocess,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        .target(
            name: "SusiTestSupport",
            dependencies: [
                "Susi", "SusiTools", "SusiEmulator", "SusiStore", "SusiHTTP", "SusiSQLite", system, subprocess, crypto,
                cryptoExtras,
                .product(name: "AsyncHTTPClient", package: "async-http-client"), nioCore, nioHTTP1, nioPosix, nioSSL,
            ],
            path: "Tests/SusiTestSupport"),
        .executableTarget(
            name: "Benchmarks", dependencies: ["ProcessClock", "Susi", system], path: "Tests/Benchmarks/Timing"),
        .executableTarget(name: "LibraryExample", dependencies: ["Susi"], path: "Tests/Example"),
        .target(name: "ProcessClock", path: "Tests/Benchmarks/Clock"),
        .target(name: "KillAtStep", path: "Tests/KillAtStep"),
        .testTarget(name: "StructureTests", dependencies: ["SusiTestSupport"], exclude: ["Interface"]),
        .testTarget(name: "SusiSQLiteTests", dependencies: ["SusiSQLite", "SusiTestSupport"]),
        .testTarget(
            name: "SusiPoliciesTests", dependencies: ["SusiPolicies", "SusiTestSupport", system, subprocess],
            exclude: ["schema.py"]),
        .testTarget(
            name: "SusiJourneysTests", dependencies: ["SusiJourneys", "SusiTestSupport", system],
            exclude: ["Policies", "events.py"]),
        .testTarget(
            name: "SusiOAuthTests",
            dependencies: ["SusiOAuth", "SusiPolicies", "SusiTestSupport", crypto, cryptoExtras]),
        .testTarget(
            name: "SusiStoreTests",
            dependencies: ["SusiStore", "SusiPolicies", "SusiSQLite", "SusiTestSupport", crypto, system]),
        .testTarget(
            name: "SusiTests", dependencies: ["Susi", "SusiTools", "SusiEmulator", "SusiTestSupport", system]),
        .testTarget(
            name: "StoreDamageTests",
            dependencies: [
                "Susi", "SusiTools", "SusiEmulator", "SusiPolicies", "SusiSQLite", "SusiStore", "SusiTestSupport",
                system,
            ]),
        .testTarget(
            name: "SusiHTTPTests",
            dependencies: [
                "SusiHTTP", "SusiOAuth", "SusiPolicies", "SusiTestSupport", nioCore, nioPosix, nioHTTP1, system,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        .testTarget(
            name: "HostileServerTests",
            dependencies: [
                "Susi", "SusiTools", "SusiTestSupport", system, crypto, nioCore, nioPosix,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        .testTarget(
            name: "SusiEmulatorTests",
            dependencies: [
                "SusiEmulator", "SusiPolicies", "SusiSQLite", "SusiTestSupport", system, crypto, cryptoExtras, nioCore,
                nioPosix, nioHTTP1, nioSSL, subprocess,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            exclude: [
                "Captures", "Policies", "admin_witness.py", "client.py", "msal_client.py", "visitor.py", "witness.py",
            ]),
        .testTarget(
            name: "CacheTests",
            dependencies: [
                "Susi", "SusiTools", "SusiEmulator", "SusiStore", "SusiSQLite", "SusiTestSupport", system, subprocess,
            ],
            exclude: ["msal_witness.py"]),
        .testTarget(
            name: "SusiCommandTests",
            dependencies: [
                "SusiCommand", "SusiStartup", "SusiTools", "LibraryExample", "SusiSQLite", "SusiTestSupport", system,
            ],
            exclude: [
                "Catalog/errors.txt", "Catalog/help.txt", "Catalog/keys.txt",
                "Catalog/reports.txt", "Init/Files",
            ]),
        .testTarget(
            name: "BrowserTests",
            dependencies: ["SusiCommand", "SusiEmulator", "SusiPolicies", "SusiTestSupport", system, crypto]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = settings
}

// One suite with what it needs: a build with a sanitizer takes long.
if let suite = Context.environment["SUSI_SUITE"] {
    package.targets.removeAll { [.test, .executable].contains($0.type) && $0.name != suite }
    package.products.removeAll { $0 is Product.Executable }
}
