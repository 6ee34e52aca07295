import SusiBase

/// The rules that the package's sources follow, as one table; `Violations.swift` reads it.
enum Rules {
    /// The modules that each module may import besides Swift's own. Every module must be listed here.
    static let imports: [String: Set<String>] = [
        "CSQLite": [],
        // Header only: the system calls of the kernel's keyring, which no library wraps.
        "CKeyring": [],
        "SusiSQLite": ["CSQLite"],
        "SusiBase": ["SystemPackage"] + system,
        "SusiPolicies": ["SusiBase"],
        "SusiJourneys": ["SusiBase"],
        "SusiOAuth": ["SusiBase", "SusiPolicies", "Crypto", "CryptoExtras"],
        // CryptoExtras provides scrypt, which derives a key from a passphrase.
        "SusiStore": [
            "SusiBase", "SusiSQLite", "SusiPolicies", "SusiOAuth", "CKeyring", "Crypto", "CryptoExtras",
            "SystemPackage",
        ] + system,
        "SusiHTTP": [
            "SusiBase", "SusiPolicies", "SusiOAuth", "SystemPackage", "AsyncHTTPClient", "NIOCore", "NIOPosix",
            "NIOHTTP1", "NIOSSL",
        ],
        "Susi": [
            "SusiBase", "SusiPolicies", "SusiOAuth", "SusiStore", "SusiHTTP", "SystemPackage", "Subprocess",
        ] + system,
        "SusiTools": ["Susi", "SusiBase", "SusiPolicies", "SusiOAuth", "SusiStore", "SystemPackage"],
        "SusiEmulator": [
            // AsyncHTTPClient calls the developer's code (`Callouts`).
            "SusiBase", "SusiPolicies", "SusiSQLite", "SusiJourneys", "AsyncHTTPClient", "HummingbirdCore",
            "HTTPTypes", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "SwiftASN1", "Crypto", "CryptoExtras",
            "SystemPackage",
        ],
        // Everything that both executables need. The small one links nothing else: neither NIO nor ArgumentParser.
        "SusiStartup": ["SusiBase", "SusiPolicies", "SusiOAuth", "SusiStore", "SystemPackage"] + system,
        "SusiLauncher": ["SusiBase", "SusiStartup", "SusiPolicies", "SystemPackage"] + system,
        "SusiCommand": [
            "SusiBase", "Susi", "SusiTools", "SusiJourneys", "SusiEmulator", "SusiStartup", "ArgumentParser",
            "SystemPackage", "Subprocess",
        ] + system,
    ]

    /// Swift's own modules without ICU, which every module may import. Foundation and FoundationNetworking are not
    /// among them.
    static let free: Set<String> = ["Swift", "FoundationEssentials", "Synchronization"]

    /// The C library and its dispatcher: small files, file locks, signals, threads that may block.
    static let system: Set<String> = ["Glibc", "Darwin", "Musl", "Dispatch"]

    /// Words that only some files may use.
    static let words: [WordRule] = [
        WordRule(
            "unsafe pointers", only: ["Sources/SusiSQLite/Connection.swift"], ["OpaquePointer"],
            alsoNames: WordRule.Names(with: "Unsafe") {
                $0.hasPrefix("withUnsafe") || ($0.hasPrefix("Unsafe") && $0.hasSuffix("Pointer"))
            }),
        // System calls on the path to a cached token, whose pointers the compiler makes. These files contain only such
        // calls.
        WordRule(
            "what the compiler cannot check",
            only: [
                "Sources/SusiSQLite/Connection.swift", "Sources/SusiBase/Files/SmallFile.swift",
                "Sources/SusiBase/Files/OwnedFile.swift", "Sources/SusiBase/Files/PrivateFile.swift",
                "Sources/SusiStore/Encryption/KernelKeyring.swift",
                "Sources/SusiStartup/ProcessEnvironment.swift", "Sources/SusiStartup/StandardStream.swift",
                "Sources/SusiLauncher/FullProgram.swift", "Sources/SusiCommand/Machine/TerminalDevice.swift",
                "Sources/SusiCommand/Machine/TerminalMode.swift", "Sources/SusiCommand/Machine/ProcessSignal.swift",
                "Sources/SusiCommand/Machine/ProcessEnvironment+Commands.swift",
            ], ["unsafe "]),
        WordRule(
            "arguments, environment and clock",
            only: [
                "Sources/SusiCommand/", "Sources/SusiLauncher/", "Sources/SusiStartup/ProcessEnvironment.swift",
                // The library's own clock and folder, for a program that passes none.
                "Sources/Susi/PublicClient+Defaults.swift",
            ],
            [
                "ProcessInfo", "CommandLine", "getenv", "environ", "Date()", "Date.now", "ContinuousClock().now",
                "ContinuousClock.now", "SuspendingClock().now", "clock_gettime", "time(", "gettimeofday",
            ]),
        // A separate client would ignore the caller's proxy and certificates.
        WordRule(
            "exchanges beside the client's network",
            only: [
                "Sources/SusiHTTP/", "Sources/Susi/ClientContext.swift", "Sources/Susi/Browser/FormBrowser.swift",
            ], ["WebClient.with"]),
        WordRule(
            "the local tenant beside its commands",
            only: ["Sources/SusiCommand/Commands/Emulator/", "Sources/SusiCommand/Commands/Init/LocalCopy.swift"],
            ["import SusiEmulator"]),
        WordRule("resources in a bundle: embed them in code", only: [], ["Bundle"]),
        WordRule(
            "ways to crash", only: [], ["try!", "as!", "fatalError", "preconditionFailure", "unowned(unsafe)"]),
        WordRule("promises that the compiler cannot check", only: [], ["@unchecked", "nonisolated(unsafe)"]),
    ]

    /// Words that only some tests may use.
    static let testWords: [WordRule] = [
        WordRule(
            "time instead of an event",
            only: [
                // States of other processes, of the kernel's keyring and of the real clock, which report no event.
                "Tests/SusiTestSupport/Waiting.swift",
                // Limits of a program and of held requests, which a passing test never reaches.
                "Tests/SusiTestSupport/Program/Launch.swift", "Tests/SusiTestSupport/Network/Gate.swift",
                // The subject of the test is a deadline that cancels what waits.
                "Tests/SusiHTTPTests/Client/WebClientTests.swift",
            ], ["Task.sleep", "Task.yield", "Thread.sleep", "sleep(", "usleep(", "nanosleep(", "asyncAfter"]),
        WordRule(
            "waiting without an event",
            only: [
                "Tests/SusiTestSupport/Waiting.swift",
                // Another project's server listens a moment after its last line of output.
                "Tests/SusiTestSupport/Foreign/Glewlwyd.swift",
                // Only a shell is told that its job has stopped.
                "Tests/SusiTestSupport/Program/JobShell.swift",
                // The kernel removes a key at a time of its own.
                "Tests/SusiStoreTests/KeyRecordTests.swift",
                // Children of a killed program, which is their only parent.
                "Tests/SusiCommandTests/Keys/KeyProviderTests.swift",
                "Tests/SusiCommandTests/Emulator/EmulatorExecTests.swift",
                // The real time has to pass for the program too.
                "Tests/SusiCommandTests/Commands/ValidityTests.swift",
            ], ["waitUntil"]),
        WordRule(
            "mocks of our own types", only: [], [],
            alsoNames: WordRule.Names(with: "Mock") { $0.hasPrefix("Mock") || $0.hasSuffix("Mock") }),
    ]

    /// The tests with a fixed port.
    static let fixedPorts: Set<String> = [
        // MSAL asks this host for a user's realm without the port. The test is skipped if 443 is in use.
        "Tests/SusiEmulatorTests/WitnessTests.swift",
        // The ports are values; nothing listens.
        "Tests/SusiCommandTests/Options/BrowserChoiceTests.swift",
        "Tests/SusiCommandTests/Catalog/ErrorCatalog+Emulator.swift", "Tests/SusiEmulatorTests/Server/SiteTests.swift",
        "Tests/SusiEmulatorTests/Cloud/CloudProxyTests.swift",
    ]

    /// The only folders whose code compares kinds of authority; all other code reads a kind's traits.
    static let kindComparisons = ["Sources/SusiPolicies/Authorities/", "Sources/SusiEmulator/Tenant/Dialects/"]

    /// Words that no file may contain, not even in comments and strings. They are concatenated here so that this file
    /// follows the rule too.
    static let nowhere: [String] = ["work", "root", "home", "Users"].map { "/\($0)/" } + ["TO" + "DO", "FIX" + "ME"]

    /// The visible files and folders at the top level; SwiftPM writes `Package.resolved`, which is not part of the
    /// tree.
    static let topLevel: Set<String> = [
        "Package.swift", "Sources", "Tests", "policies.json", "README.md", "Package.resolved",
    ]

    /// The declarations of resources that no target may use: both need `Bundle`, and with it ICU.
    static let manifest: [String] = [".process(", ".copy("]
}

/// Words that only code in some files may contain.
struct WordRule: Sendable {
    let subject: String
    let only: [String]
    let words: [String]
    let alsoNames: Names?

    /// Names that are not listed one by one; all of them contain `part`.
    struct Names: Sendable {
        let part: String
        let isMeant: @Sendable (String) -> Bool

        init(with part: String, _ isMeant: @escaping @Sendable (String) -> Bool) {
            (self.part, self.isMeant) = (part, isMeant)
        }
    }

    init(_ subject: String, only: [String], _ words: [String], alsoNames: Names? = nil) {
        (self.subject, self.only, self.words, self.alsoNames) = (subject, only, words, alsoNames)
    }
}

private func + (left: Set<String>, right: Set<String>) -> Set<String> { left.union(right) }
