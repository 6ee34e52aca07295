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
    @Test("a refresh with cached documents is one exchange; after a day they are fetched again")
    func fetchesCachedDocumentsAgainAfterADay() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let policy = "/contoso.onmicrosoft.com/B2C_1_susi"
            let (token, configuration) = ("\(policy)/oauth2/v2.0/token", "/v2.0/.well-known/openid-configuration")
            #expect(tenant.requests("GET", configuration) == 1)
            #expect(tenant.requests("GET", "/discovery/v2.0/keys") == 1)
            let refreshing = TokenRequestOptions(forcesRefresh: true)
            for run in 1...2 {
                let before = tenant.requestLines.count
                _ = try await tenant.client().token(api: nil, of: AccountSelection(), options: refreshing)
                #expect(tenant.requestLines.count == before + 1)
                #expect(tenant.requests("POST", token) == run + 1)
            }
            // A sign-in reads the configuration before the browser opens; the cached keys are used.
            try await tenant.signIn(.ben)
            #expect(tenant.requests("GET", configuration) == 2)
            #expect(tenant.requests("GET", "/discovery/v2.0/keys") == 1)
            tenant.emulator.clock.advance(by: 90_000)
            _ = try await tenant.client(ahead: 90_000).token(api: nil, of: AccountSelection())
            #expect(tenant.requests("GET", configuration) == 3)
            #expect(tenant.requests("GET", "/discovery/v2.0/keys") == 2)
        }
    }

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

    @Test("a damaged document is fetched again; one of an older policies file is not used")
    func refetchesDamagedDocuments() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let store = try Connection(
                path: tenant.susi.home.susiHome.appending("store.sqlite").string, mode: .readWrite)
            #expect(try store.first("SELECT count(*) FROM documents") { row in try row.integer(0) } == 2)
            try store.execute("UPDATE documents SET body = x'7b7d'")
            let before = tenant.requestLines.count
            let refreshing = TokenRequestOptions(forcesRefresh: true)
            _ = try await tenant.client().token(api: nil, of: AccountSelection(), options: refreshing)
            #expect(tenant.requestLines.count == before + 3)
            // A cached document is not used after its authority is no longer allowed.
            let file = tenant.susi.home.policiesFile.string
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let known = "\"knownAuthorities\": [\"\(tenant.emulator.origin)/contoso.onmicrosoft.com\"]"
            try tenant.susi.home.writePolicies(text.replacing(known, with: "\"knownAuthorities\": []"))
            await expectRefusal(.unknownAuthority) {
                try await tenant.client().token(api: nil, of: AccountSelection(), options: refreshing)
            }
            #expect(tenant.requestLines.count == before + 3)
        }
    }
}
