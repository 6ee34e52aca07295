import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import Susi

/// Texts that said something wrong.
@Suite("Wording", .inTurn, .timeLimit(.minutes(5)))
struct WordingTests {
    @Test("a sentence does not change the spelling of an address or an identifier")
    func keepsAddressesInSentences() {
        let sentences = [
            ("ana@contoso.example is signed in", "ana@contoso.example is signed in."),
            ("https://login.example/x did not respond", "https://login.example/x did not respond."),
            ("b2c_1_susi has no sign-in page", "b2c_1_susi has no sign-in page."),
            ("0f3a is signed in", "0f3a is signed in."), ("sign-in needed", "Sign-in needed."),
        ]
        for (what, sentence) in sentences { #expect(SusiError(.failed, what).sentence == sentence) }
    }

    @Test("a device code that is not entered in time is no browser that is late")
    func namesOtherDevice() async throws {
        try await withLocalTenant(policies: onlyApplication("entra", "tailspin.onmicrosoft.com", more: graphAPI)) {
            tenant in
            let refused = try await tenant.susi.refusal("sign-in", "--device", "--timeout", "1s").exits(
                3, hiding: "browser")
            #expect(refused.next.contains(#/susi sign-in .*--device/#), "\(refused)")
        }
    }

    @Test("a password at an address for several tenants: the tenant has to be named (AADSTS9001023)")
    func explainsPasswordAtCommon() async throws {
        try await withLocalTenant(policies: onlyApplication("entra", "common", more: graphAPI)) { tenant in
            try await tenant.susi.run(
                "sign-in", "--username", "ana@contoso.example", "--password-stdin", input: "Passw0rd!"
            ).exits(1, saying: "AADSTS9001023", "next: name the tenant in the authority", hiding: "registration")
            try await tenant.susi.run("explain", "AADSTS9001023").exits(0)
        }
    }

    @Test("emulator run reads the policies from a pipe, as other commands do")
    func readsPoliciesFromPipe() async throws {
        try await withSusi(policies: PoliciesFile.builtInText) { susi in
            let file = susi.home.folder.appending("p.json")
            try file.write(PoliciesFile.builtInText)
            let command = susi.shell("exec \"$0\" emulator run --port 0 --config <(cat '\(file)')", by: "/bin/bash")
            try await command.start { run in
                _ = try await run.waitForLine(containing: "contoso.onmicrosoft.com listens at")
            }
        }
    }

    @Test("the next step of a native sign-in names no policy where there is only one")
    func namesNoOnlyPolicy() async throws {
        try await withLocalTenant(policies: onlyApplication("external", "fabrikam.onmicrosoft.com")) { tenant in
            try await tenant.susi.run(
                "sign-in", "--username", "ana@contoso.example", "--password-stdin", input: "Wrong-1-password"
            ).exits(4, saying: "next: susi sign-in --username ana@contoso.example", hiding: "-p default")
        }
    }
}
