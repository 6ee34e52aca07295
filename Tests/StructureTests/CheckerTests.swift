import Testing

/// The checker itself: it reports lines that break a rule, and no others.
@Suite struct CheckerTests {
    @Test func unusedPackageDeclarationsAreFound() {
        let declaring = """
            package struct Used {
                // unused
                package static let unused = 1
                package func own() {}
                package mutating func appendInterpolation(_ text: String) { own() }
            }
            """
        let found = PackageDeclarations.unused(in: [
            SourceFile(path: "Sources/SusiBase/A.swift", text: declaring),
            SourceFile(path: "Sources/Susi/B.swift", text: "let made = Used()"),
        ])
        #expect(found.map(\.description) == ["Sources/SusiBase/A.swift:3: unused is not used"])
    }

    @Test(arguments: [
        ("SusiStore", "import SusiHTTP"),
        ("SusiHTTP", "public import SusiStore"),
        ("SusiEmulator", "internal import SusiOAuth"),
        ("SusiEmulator", "import struct SusiOAuth.TokenKey"),
        ("SusiPolicies", "@preconcurrency import Foundation"),
        ("SusiHTTP", "import FoundationNetworking"),
        ("Susi", "import AsyncHTTPClient"),
        ("Susi", "@testable import NIOCore"),
        ("SusiStore", "import ArgumentParser"),
        ("SusiOAuth", "/* why */ import HummingbirdCore"),
        ("SusiEmulator", "if tenant.kind != .openid { return }"),
        ("SusiNew", "import SusiOAuth"),
        ("SusiStore", "let pointer: UnsafeMutableRawPointer"),
        ("SusiSQLite", "var handle: OpaquePointer?"),
        ("SusiOAuth", "bytes.withUnsafeBytes { _ in }"),
        ("SusiOAuth", "let now = Date()"),
        ("SusiOAuth", "Date.now"),
        ("Susi", "ContinuousClock().now"),
        ("SusiHTTP", "let seconds = time(nil)"),
        ("SusiStore", "ProcessInfo.processInfo"),
        ("SusiEmulator", "CommandLine.arguments"),
        ("Susi", "\"\\(1)\"; getenv(name)"),
        ("SusiCommand", "Bundle.module"),
        ("SusiCommand", "import SusiEmulator"),
        ("SusiOAuth", "if authority.kind == .b2c { }"),
        ("Susi", "switch kind { case .entra, .external: 1 }"),
        ("SusiHTTP", "[.b2c, .external].contains(kind)"),
        ("SusiPolicies", "node.string == AuthorityKind.openid.rawValue"),
        ("SusiStore", "guard AuthorityKind.b2c != kind else { return }"),
        ("SusiCommand", "try! open()"),
        ("SusiCommand", "value as! Int"),
        ("SusiCommand", "fatalError()"),
        ("SusiCommand", "final class Shared: @unchecked Sendable {}"),
    ])
    func brokenRuleIsFound(module: String, line: String) {
        let text = "// A file\n\n\(line)\n"
        let found = Rules.violations(in: SourceFile(path: "Sources/\(module)/Made/Up.swift", text: text))
        #expect(found.count == 1)
        #expect(found.first?.line == 3)
    }

    @Test(arguments: [
        ("SusiStore", "public import SusiOAuth"),
        ("SusiSQLite", "internal import CSQLite"),
        ("SusiEmulator", "import HummingbirdCore"),
        ("SusiOAuth", "import FoundationEssentials"),
        ("SusiCommand", "let now = Date()"),
        ("SusiCommand", "import ArgumentParser"),
        ("SusiOAuth", "init(kind: AuthorityKind = .b2c)"),
        ("Susi", "if authority.kind.traits.hasPolicies { }; read(claims, of: .openid)"),
        ("SusiOAuth", "// import Foundation, Date(), try! and fatalError are not used here"),
        ("SusiOAuth", "let text = \"import Foundation; Date() \\\" try!\""),
        ("SusiOAuth", "let text = #\"\"try! fatalError()\"#"),
        ("SusiOAuth", "let text = \"\"\"\n    import Foundation\n    \"\"\""),
        ("SusiOAuth", "/* Date()\nfatalError() */"),
        ("SusiHTTP", "plan.time(of: 3); lifetime(3); environment(3)"),
        ("SusiOAuth", "update(); DateRange(); myDate()"),
        ("SusiOAuth", "try? value as? Int"),
        ("SusiOAuth", "let imported = important"),
    ])
    func keptRuleIsNotFound(module: String, line: String) {
        let file = SourceFile(path: "Sources/\(module)/Made/Up.swift", text: line)
        #expect(Rules.violations(in: file) == [])
    }

    @Test(arguments: [
        "try await Task.sleep(for: .milliseconds(50))", "await Task.yield()", "usleep(50)",
        "Thread.sleep(forTimeInterval: 1)",
        "try await waitUntil { isThere }", "try await waitUntil({ isThere })", "final class MockStore {}",
        "let store = StoreMock()", "ports: [EmulatorPort(8480)]", "try await withLocalTenant(in: home, port: 8480)",
    ])
    func brokenRuleOfTestsIsFound(line: String) {
        let found = Rules.violationsOfTests(in: SourceFile(path: "Tests/Made/Up.swift", text: "// A file\n\n\(line)\n"))
        #expect(found.count == 1)
        #expect(found.first?.line == 3)
    }

    @Test(arguments: [
        "let script = \"while :; do sleep 0.05; done\"", "// Task.sleep and mocks are not used here",
        "mistakes.sleeper()",
        "ports: [EmulatorPort(0)]", "withLocalTenant(in: home, port: tenant.port)", "ports: [EmulatorPort(port)]",
        "run.waitUntilExit()", "#expect(application.redirectPorts == [8500, 8501])",
    ])
    func keptRuleOfTestsIsNotFound(line: String) {
        #expect(Rules.violationsOfTests(in: SourceFile(path: "Tests/Made/Up.swift", text: line)) == [])
    }

    @Test func unsafePointersAreForOneFile() {
        let text = "var handle: OpaquePointer?"
        let connection = SourceFile(path: "Sources/SusiSQLite/Connection.swift", text: text)
        #expect(Rules.violations(in: connection) == [])
    }

    @Test func machinesPathIsFoundEvenInComments() {
        let place = "/" + "work" + "/here"
        let file = SourceFile(path: "Tests/A.swift", text: "let a = 1\n// see \(place)\n")
        #expect(Rules.violationsAnywhere(in: file).map(\.line) == [2])
        #expect(Rules.violationsAnywhere(in: SourceFile(path: "Tests/A.swift", text: "let a = 1")) == [])
    }
}
