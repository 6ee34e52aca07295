import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Requests to providers other than Microsoft, and the checks of their responses.
@Suite("Plain providers", .inTurn, .timeLimit(.minutes(5)))
struct PlainProviderTests {
    private static let provider = "http://localhost:8480/login"
    private static var edit: (String) -> String { KindSignInTests.policies("openid", provider, provider) }

    /// Returns the parameters of the address that a sign-in opens, and the output. The sign-in is then interrupted.
    private static func asked(
        _ arguments: [String], _ tenant: LocalTenant
    ) async throws -> (fields: [String: String], printed: String) {
        let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
        let command = tenant.susi.command(["sign-in"] + arguments + ["--browser", browser.command])
        return try await command.start { run in
            let items = URLComponents(string: try await browser.nextURL())?.queryItems ?? []
            try await run.interrupt()
            let outcome = try await run.waitUntilExit()
            return (Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }, outcome.standardError)
        }
    }

    /// Removes the supported prompts from the provider's configuration.
    private static func hidePrompts(_ tenant: LocalTenant) async throws {
        let base = try WebAddress("\(tenant.emulator.origin)/login")
        let address = try WebAddress("\(base)/.well-known/openid-configuration")
        let call = try #require(APICall(base: base, address: address, method: "GET", headers: []))
        let pieces = Pieces()
        _ = try await WebClient.with { web in
            try await web.call(call, token: "none") { _, piece in await pieces.add(piece ?? []) }
        }
        let text = String(decoding: await pieces.bytes, as: UTF8.self)
        try #require(text.contains("\"prompt_values_supported\""))
        let changed = text.replacing("\"prompt_values_supported\"", with: "\"x_prompts\"")
        tenant.emulator.faults.add(Fault(.status(200, body: changed), at: .metadata))
    }

    private actor Pieces {
        private(set) var bytes: [UInt8] = []
        func add(_ piece: [UInt8]) { bytes += piece }
    }

    @Test("select_account is sent by default only if the provider announces it; a typed prompt is always sent")
    func sendsPromptOnlyIfSupported() async throws {
        try await withLocalTenant(policies: Self.edit) { tenant in
            #expect(try await Self.asked([], tenant).fields["prompt"] == "select_account")
            try await Self.hidePrompts(tenant)
            let first = try await Self.asked([], tenant)
            #expect(first.fields["prompt"] == nil && !first.printed.contains("--prompt"), "\(first)")
            for prompt in ["select_account", "login"] {
                #expect(try await Self.asked(["--prompt", prompt], tenant).fields["prompt"] == prompt)
            }
        }
    }

    @Test(
        "if the provider has no account choice, the way to sign in another person is printed")
    func explainsSignInOfAnotherPerson() async throws {
        try await withLocalTenant(policies: Self.edit) { tenant in
            try await Self.hidePrompts(tenant)
            let signedIn = try await tenant.interact(["sign-in"], as: .ana)
            #expect(signedIn.status == 0 && !signedIn.standardError.contains("--prompt"), "\(signedIn)")
            let again = try await Self.asked([], tenant)
            #expect(
                again.fields["prompt"] == nil && again.printed.contains("susi sign-in --prompt login"),
                "\(again)")
            let typed = try await Self.asked(["--prompt", "login"], tenant)
            #expect(!typed.printed.contains("--prompt login"), "\(typed)")
            let other = try await tenant.interact(["sign-in", "-a", "ben@contoso.example"], as: .ana)
            #expect(other.status == 7, "\(other)")
            // A whole address of a person who is not stored: the person who came is another one.
            let longer = try await tenant.interact(["sign-in", "-a", "ana@contoso.exam"], as: .ana)
            #expect(longer.status == 7, "\(longer)")
            for (outcome, name) in [(other, "ben@contoso.example"), (longer, "ana@contoso.exam")] {
                let next = outcome.standardError.split(separator: "\n").last?.drop { $0 == " " } ?? ""
                #expect(next.hasPrefix("next: susi sign-in --prompt login -a \(name) "), "\(outcome)")
            }
        }
    }

    @Test("an id token without an essential acr is refused and nothing is stored; a voluntary acr may be missing")
    func requiresEssentialACR() async throws {
        try await withLocalTenant(policies: Self.edit) { tenant in
            let claims = { (essential: Bool) in
                #"{"id_token":{"acr":{"essential":\#(essential),"values":["gold","silver"]}}}"#
            }
            let refused = try await tenant.interact(["sign-in", "--claims", claims(true)], as: .ana)
            #expect(refused.status == 7, "\(refused)")
            #expect(refused.standardError.contains("acr") && refused.standardError.contains("gold"), "\(refused)")
            #expect(try await tenant.susi.run("accounts").standardOutput.isEmpty)
            let accepted = try await tenant.interact(["sign-in", "--claims", claims(false)], as: .ana)
            #expect(accepted.status == 0, "\(accepted)")
        }
    }
}
