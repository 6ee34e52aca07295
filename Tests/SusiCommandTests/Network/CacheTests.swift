import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

/// OpenID configurations and keys in the store, between clients.
@Suite("Cached documents", .inTurn, .timeLimit(.minutes(5)))
struct CacheTests {
    @Test("an unreachable server is reported before the browser opens, whatever is cached")
    func findsServerOutageBeforeBrowserOpens() async throws {
        try await withHome { home in
            try await withLocalTenant(in: home) { tenant in try await tenant.signIn(.ana) }
            let susi = try SusiBinary(home: home)
            let capture = try await BrowserCommand.capture(in: home.folder)
            let outcome = try await susi.run("sign-in", "--browser", capture.command)
            #expect(outcome.status == 3, "\(outcome)")
            #expect(capture.openedURLs.isEmpty)
        }
    }
}
