import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Key sources that are unavailable when a key is made: the error names the sources that need no service.
@Suite("Unavailable key sources", .inTurn, .timeLimit(.minutes(5)))
struct UnavailableSourceTests {
    private static let other = "set SUSI_KEY_SOURCE to file or passphrase"

    @Test("a new store proposes a key file or a passphrase, nothing is sent, and the key file works")
    func proposesOtherSources() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            for (source, status, next) in [
                ("secret-service", 6, "unlock the desktop's keyring, or \(Self.other)"), ("keychain", 6, Self.other),
                ("command", 6, "to it, or \(Self.other)"), ("passphrase", 6, "SUSI_PASSPHRASE_FILE"),
                ("magic", 5, "SUSI_KEY_SOURCE"),
            ] as [(String, Int32, String)] {
                let environment = ["SUSI_KEY_SOURCE": source, "PATH": "/nowhere"]
                let refused = try await susi.run("sign-in", "--no-browser", environment: environment, input: "")
                #expect(refused.status == status && refused.standardError.contains(next), "\(refused)")
                #expect(!refused.standardError.contains("store unlock"), "\(refused)")
                #expect(!refused.standardError.contains("Visit"), "the sign-in started without a key")
                #expect(!FileManager.default.fileExists(atPath: susi.home.susiHome.appending("key").string))
            }
            #expect(tenant.requestLines.isEmpty)
            let made = try await tenant.interact(["sign-in"], as: .ana, environment: ["SUSI_KEY_SOURCE": "file"])
            #expect(made.status == 0, "\(made)")
        }
    }
}
