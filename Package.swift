// swift-tools-version: 6.2
import PackageDescription

/// With `SUSI_LINK=release` each function has its own section, so that the linker can drop those that nothing uses.
let releaseSettings: [SwiftSetting] =
    Context.environment["SUSI_LINK"] == "release" ? [.unsafeFlags(["-Xfrontend", "-function-sections"])] : []

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

/// `SUSI_LINK=release` links both executables for distribution: SQLite, zlib, libstdc++ and libgcc from their archives,
/// packed relative relocations, position-independent code. SwiftPM counts these flags as unsafe and would refuse the library
/// as a dependency, so they apply only on request.
///
/// SwiftPM and the toolchain name the shared libraries before our flags, so lld is told to read nothing in their place;
/// gold, the toolchain's default linker, supports neither that nor packed relocations. Without exported symbols the linker
/// can drop what nothing uses, which makes the program start a sixth faster.
let releaseLink: [LinkerSetting] =
    Context.environment["SUSI_LINK"] == "release"
    ? [
        .unsafeFlags(
            [
                "-use-ld=lld",
                "-Xclang-linker", "-static-libgcc",
                "-Xlinker", "--remap-inputs=*/libsqlite3.so=/dev/null",
                "-Xlinker", "--remap-inputs=*/libz.so=/dev/null",
                "-Xlinker", "--remap-inputs=*/libstdc++.so=/dev/null",
                "-Xlinker", "-l:libsqlite3.a",
                "-Xlinker", "-l:libz.a",
                "-Xlinker", "-l:libstdc++.a",
                "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
                "-Xlinker", "--no-export-dynamic",
                "-Xlinker", "--gc-sections",
                "-Xlinker", "--as-needed",
            ],
            .when(platforms: [.linux]))
    ] : []

/// `SUSI_ORDER=FILE` names the functions of the small program's usual path, which the linker then puts side by side:
/// `.ci/release` makes that file.
let order: [LinkerSetting] =
    Context.environment["SUSI_ORDER"].map { file in
        [
            .unsafeFlags(
                ["-Xlinker", "--symbol-ordering-file=\(file)", "-Xlinker", "--no-warn-symbol-ordering"],
                .when(platforms: [.linux]))
        ]
    } ?? []

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
        .executable(name: "susi-front", targets: ["SusiFront"]),
        .library(name: "Susi", targets: ["Susi"]),
        .library(name: "SusiEmulator", targets: ["SusiEmulator"]),
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
        .target(name: "SusiPolicies"),
        .target(name: "SusiOAuth", dependencies: ["SusiPolicies", crypto, cryptoExtras]),
        .target(
            name: "SusiStore",
            dependencies: ["SusiSQLite", "SusiPolicies", "SusiOAuth", "CKeyring", crypto, cryptoExtras, system],
            resources: [.embedInCode("Schema")]),
        .target(
            name: "SusiHTTP",
            dependencies: [
                "SusiPolicies", "SusiOAuth", nioCore, nioPosix, nioHTTP1, nioSSL,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        .target(
            name: "Susi",
            dependencies: ["SusiPolicies", "SusiOAuth", "SusiStore", "SusiHTTP", system, subprocess]),
        .target(
            name: "SusiEmulator",
            dependencies: [
                "SusiPolicies", "SusiSQLite", crypto, cryptoExtras, system, nioCore, nioPosix, nioSSL, asn1,
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Resources")]),
        .target(name: "SusiEntry", dependencies: ["SusiPolicies", "SusiOAuth", "SusiStore", system]),
        .executableTarget(
            name: "SusiFront", dependencies: ["SusiEntry", "SusiPolicies", system], linkerSettings: releaseLink + order),
        .executableTarget(
            name: "SusiCommand",
            dependencies: [
                "Susi", "SusiEmulator", "SusiEntry", system, subprocess,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            linkerSettings: releaseLink),

        .target(
            name: "SusiTestSupport",
            dependencies: [
                "Susi", "SusiEmulator", "SusiStore", "SusiHTTP", "SusiSQLite", system, subprocess, crypto, cryptoExtras,
                .product(name: "AsyncHTTPClient", package: "async-http-client"), nioCore, nioHTTP1, nioPosix, nioSSL,
            ],
            path: "Tests/SusiTestSupport"),
        .executableTarget(
            name: "Benchmarks", dependencies: ["ProcessClock", "Susi", system], path: "Tests/Benchmarks/Timing"),
        .executableTarget(
            name: "EmulatorLoad",
            dependencies: [
                crypto, cryptoExtras, nioCore, nioHTTP1,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            path: "Tests/Benchmarks/Load"),
        .executableTarget(name: "LibraryExample", dependencies: ["Susi"], path: "Tests/Example"),
        .target(name: "ProcessClock", path: "Tests/Benchmarks/Clock"),
        .testTarget(name: "StructureTests", dependencies: ["SusiTestSupport"]),
        .testTarget(name: "SusiTestSupportTests", dependencies: ["SusiTestSupport", system]),
        .testTarget(name: "SusiSQLiteTests", dependencies: ["SusiSQLite", "SusiTestSupport"]),
        .testTarget(
            name: "SusiPoliciesTests", dependencies: ["SusiPolicies", "SusiTestSupport", system, subprocess],
            exclude: ["schema.py"]),
        .testTarget(
            name: "SusiOAuthTests",
            dependencies: ["SusiOAuth", "SusiPolicies", "SusiTestSupport", crypto, cryptoExtras]),
        .testTarget(
            name: "SusiStoreTests",
            dependencies: ["SusiStore", "SusiPolicies", "SusiSQLite", "SusiTestSupport", crypto, system]),
        .testTarget(
            name: "StoreDamageTests",
            dependencies: [
                "Susi", "SusiEmulator", "SusiPolicies", "SusiSQLite", "SusiStore", "SusiTestSupport", system,
            ]),
        .testTarget(
            name: "SusiHTTPTests",
            dependencies: [
                "SusiHTTP", "SusiOAuth", "SusiPolicies", "SusiTestSupport", nioCore, nioPosix, nioHTTP1, system,
            ]),
        .testTarget(
            name: "HostileServerTests",
            dependencies: [
                "Susi", "SusiTestSupport", system, crypto, nioCore, nioPosix,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        .testTarget(
            name: "SusiEmulatorTests",
            dependencies: [
                "SusiEmulator", "SusiPolicies", "SusiSQLite", "SusiTestSupport", system, crypto, cryptoExtras, nioCore,
                nioPosix, nioHTTP1, nioSSL, subprocess,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            exclude: ["admin_witness.py", "client.py", "msal_client.py", "visitor.py", "witness.py"]),
        .testTarget(
            name: "CacheTests",
            dependencies: ["Susi", "SusiEmulator", "SusiSQLite", "SusiTestSupport", system, subprocess],
            exclude: ["msal_witness.py"]),
        .testTarget(
            name: "SusiCommandTests",
            dependencies: [
                "SusiCommand", "SusiEntry", "LibraryExample", "SusiSQLite", "SusiTestSupport", system,
            ],
            exclude: ["Catalog/errors.txt", "Catalog/help.txt", "Catalog/keys.txt", "Catalog/reports.txt"]),
        .testTarget(
            name: "BrowserTests",
            dependencies: ["SusiCommand", "SusiEmulator", "SusiPolicies", "SusiTestSupport", system, crypto]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = settings + releaseSettings
}

/// `SUSI_FUZZ=ARCHIVE`, libFuzzer's archive without a `main`, describes what `.ci/fuzz` builds and nothing else: the readers
/// of foreign text, watched by the fuzzer, and the program that feeds them.
if let archive = Context.environment["SUSI_FUZZ"] {
    let readers = ["SusiPolicies", "SusiOAuth"]
    package.products = []
    package.targets =
        package.targets.filter { readers.contains($0.name) } + [
            .target(
                name: "SusiCaches", dependencies: ["SusiPolicies", "SusiOAuth"], path: "Sources/Susi/Caches",
                sources: [
                    "CacheFile.swift", "CacheFields.swift", "MSALCacheReader.swift", "ADALCacheReader.swift",
                    "SealedCache.swift",
                ], swiftSettings: settings),
            .target(
                name: "SusiSealed", dependencies: ["SusiOAuth", "SusiPolicies", crypto, cryptoExtras],
                path: "Sources/SusiStore", exclude: ["Schema"],
                sources: ["Records/CurrentRole.swift"]
                    + [
                        "SealedFile", "SealedReader", "SealedWriter", "TransferReader", "TransferRecord",
                        "TransferValue",
                    ]
                    .map { "Transfer/\($0).swift" },
                swiftSettings: settings + [.unsafeFlags(["-enable-testing"])]),
            .target(
                name: "SusiCalling", dependencies: ["SusiPolicies"], path: "Sources/SusiHTTP/Calling",
                sources: ["CallRedirect.swift"], swiftSettings: settings + [.unsafeFlags(["-enable-testing"])]),
        ]
    for target in package.targets {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])]
    }
    package.targets += [
        .target(name: "FuzzDriver", path: "Tests/Fuzz/Driver"),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["FuzzDriver", "SusiCaches", "SusiCalling", "SusiOAuth", "SusiPolicies", "SusiSealed"],
            path: "Tests/Fuzz/Targets", swiftSettings: settings,
            linkerSettings: [.unsafeFlags([archive]), .linkedLibrary("stdc++")]),
    ]
}
