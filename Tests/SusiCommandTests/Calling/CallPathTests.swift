import SusiEmulator
import SusiTestSupport
import Testing

/// The encoding of paths in `call`.
@Suite("Paths of calls", .inTurn, .timeLimit(.minutes(5)))
struct CallPathTests {
    @Test(
        arguments: [
            ("/a b", "/a%20b"), ("/größe/日本", "/gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC"), ("/x?q=a b\\c", "/x?q=a%20b%5Cc"),
            ("/%20 %C3%A9", "/%20%20%C3%A9"), ("/\"<q>\"", "/%22%3Cq%3E%22"), ("?n=100%", "?n=100%25"),
        ])
    func sendsPathAsShown(_ typed: String, _ sent: String) async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let (susi, base) = (tenant.susi, "\(tenant.emulator.origin)/api/hello")
            let shown = try await susi.run("call", "hello", typed, "--dry-run")
            #expect(shown.standardOutput.hasPrefix("GET \(base)\(sent)\n"), "\(shown)")
            let curl = try await susi.run("call", "hello", typed, "--curl")
            #expect(curl.status == 0 && curl.standardOutput.contains("\(base)\(sent)"), "\(curl)")
            let whole = try await susi.run("call", base + typed, "--dry-run")
            #expect(whole.standardOutput.hasPrefix("GET \(base)\(sent)\n"), "\(whole)")
            // Queries are not logged.
            let called = try await susi.run("call", "hello", typed, "-v")
            let path = sent.prefix { $0 != "?" }
            #expect(called.standardError.contains("GET \(base)\(path) "), "\(called)")
        }
    }
}
