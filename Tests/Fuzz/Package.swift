// swift-tools-version: 6.2
import PackageDescription

// The readers of foreign text, watched by libFuzzer, and the program that feeds them: `.ci/fuzz` builds it. `Sources` is a
// link to the sources of susi; only files that read foreign text are built.

/// libFuzzer's archive without a `main`, in the toolchain.
let archive = Context.environment["SUSI_FUZZ"] ?? ""

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The settings of the readers: libFuzzer counts the paths that they take, and the fuzzer sees their internal functions.
let watched = settings + [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library", "-enable-testing"])]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "fuzz",
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .target(name: "SusiBase", dependencies: [system], path: "Sources/SusiBase", swiftSettings: watched),
        .target(
            name: "SusiPolicies", dependencies: ["SusiBase"], path: "Sources/SusiPolicies", swiftSettings: watched),
        .target(
            name: "SusiJourneys", dependencies: ["SusiBase"], path: "Sources/SusiJourneys", swiftSettings: watched),
        .target(
            name: "SusiOAuth", dependencies: ["SusiBase", "SusiPolicies", crypto, cryptoExtras],
            path: "Sources/SusiOAuth", swiftSettings: watched),
        .target(
            name: "SusiCaches", dependencies: ["SusiBase", "SusiPolicies", "SusiOAuth"],
            path: "Sources/SusiTools/Caches",
            sources: [
                "CacheFile.swift", "CacheFields.swift", "MSALCacheReader.swift", "ADALCacheReader.swift",
                "SealedCache.swift",
            ], swiftSettings: watched),
        .target(
            name: "SusiCalling", dependencies: ["SusiBase", "SusiPolicies"], path: "Sources/SusiHTTP/Calling",
            sources: ["CallRedirect.swift"], swiftSettings: watched),
        .target(
            name: "SusiRequests", dependencies: ["SusiBase", httpTypes], path: "Sources/SusiEmulator",
            exclude: ["Resources", "SusiEmulator.docc"],
            sources: ["Cloud/ProxyRequest.swift", "SampleAPI/HelloQuery.swift", "Server/Parameters.swift"],
            swiftSettings: watched),
        .target(name: "FuzzDriver", path: "Driver"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "FuzzDriver", "SusiBase", "SusiCaches", "SusiCalling", "SusiJourneys", "SusiOAuth", "SusiPolicies",
                "SusiRequests", httpTypes,
            ],
            path: "Targets", swiftSettings: settings,
            linkerSettings: [.unsafeFlags([archive]), .linkedLibrary("stdc++")]),
    ]
)
