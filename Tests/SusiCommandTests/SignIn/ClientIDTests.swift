import Susi
import SusiEmulator
import SusiTestSupport
import SusiTools
import Testing

/// Client IDs: any that RFC 6749 allows, and the spelling of those that Microsoft assigns.
@Suite("Client IDs", .inTurn, .timeLimit(.minutes(5)))
struct ClientIDTests {
    private static let provider = onlyApplication("openid", "login", more: helloAPI)
    private static let usual = "11111111-1111-1111-1111-111111111111"

    private static func clientID(_ id: String) -> (String) -> String {
        { text in text.replacing("\"\(usual)\"", with: JSONText.quoted(id)) }
    }

    @Test(
        "an ID of visible ASCII characters and spaces works in every request, in output and in suggestions",
        arguments: [
            "123@proj", "my client", "a+b", "it's 100% \"mine\" & <yours>", "$HOME `id` \\n", "%41?x=1#y/../{z}",
            "~!*()'",
        ])
    func acceptsEveryID(id: String) async throws {
        let edit = { Self.clientID(id)(Self.provider($0)) }
        try await withLocalTenant(policies: edit) { tenant in
            let client = try tenant.client()
            #expect(client.application.clientID == id)
            try await tenant.signIn(.ana)
            let token = try await client.token(api: nil, of: AccountSelection())
            // Two tokens of one second are equal.
            tenant.emulator.clock.advance(by: 1)
            #expect(try await client.refreshed().secret != token.secret)
            _ = try await client.export(try await client.accounts(), as: .msal)
            let locks = try tenant.susi.home.file("locks").names()
            #expect(locks.allSatisfy { $0.wholeMatch(of: /(?:[0-9a-f]{32}|store)\.lock/) != nil }, "\(locks)")
            try await tenant.susi.run("policies", "list").exits(0, printing: "client ID \(id)")
            #expect(try await client.signOut(try await client.accounts()).removed.count == 1)
        }
    }

    @Test("an ID with a control character, another letter or spaces at its ends is refused with its line")
    func refusesOtherIDs() async throws {
        for id in ["", " a", "a ", "a\tb", "ü", "a\u{7f}"] {
            let edit = { Self.clientID(id)(Self.provider($0)) }
            let error = #expect(throws: (any Error).self) {
                try PoliciesFile(text: edit(PoliciesFile.builtInText).utf8, source: "the test's policies")
            }
            let said = "\(String(describing: error))"
            #expect(said.contains("clientId"), "\(said)")
            guard id == " a" || id.isEmpty else { continue }
            _ = try await withSusi { susi in
                try await susi.run(
                    "init", "https://id.example/realms/a", "--kind", "openid", "--client-id", id, "--offline"
                ).exits(64)
            }
        }
    }

    @Test("the case of a GUID makes no difference at Microsoft's kinds", arguments: ["b2c", "external", "entra"])
    func ignoresCaseOfGUID(kind: String) async throws {
        let (lower, upper) = ("abcdefab-1111-4111-8111-abcdefabcdef", "ABCDEFAB-1111-4111-8111-ABCDEFABCDEF")
        let path = kind == "external" ? "fabrikam.onmicrosoft.com" : "tailspin.onmicrosoft.com"
        let policies = kind == "b2c" ? { $0 } : onlyApplication(kind, path, more: helloAPI)
        let edit = { Self.clientID(lower)(policies($0)) }
        try await withLocalTenant(policies: edit, configure: { $0.algorithm = .rs256 }, signedIn: [.ana]) { tenant in
            let token = try await tenant.client().token(api: nil, of: AccountSelection())
            try tenant.susi.home.changePolicies { $0.replacing(lower, with: upper) }
            let client = try tenant.client()
            #expect(try await client.token(api: nil, of: AccountSelection()).secret == token.secret)
            try await tenant.signIn(.ana, with: client, SignInRequest(expected: .account(token.account)))
            #expect(try await client.accounts().count == 1)
            #expect(try await tenant.susi.run("inspect", "--json").standardOutput.contains("forAudience") == false)
        }
    }

    @Test("the ID of another provider is kept letter for letter, even a GUID")
    func keepsCaseOfOpaqueID() async throws {
        let upper = "ABCDEFAB-1111-4111-8111-ABCDEFABCDEF"
        let edit = { Self.clientID(upper)(Self.provider($0)) }
        try await withLocalTenant(policies: edit, signedIn: [.ana]) { tenant in
            #expect(try tenant.client().application.clientID == upper)
            try tenant.susi.home.changePolicies { $0.replacing(upper, with: upper.lowercased()) }
            await expectRefusal(.signInNeeded) { try await tenant.client().token(api: nil, of: AccountSelection()) }
        }
    }
}
