import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// The files of a folder of custom policies, while the emulator runs.
@Suite("Folder of custom policies", .timeLimit(.minutes(5))) struct PolicyFolderTests {
    private static let signIn: @Sendable (CustomPolicyFolder) throws -> Void = { folder in
        try folder.add("SignIn", "SignIn", claims: ["email"])
    }

    private let answers = ["email": "ana@contoso.example", "password": "Passw0rd!"]

    @Test func readsAChangedFileAgain() async throws {
        try await withCustomPolicies(Self.signIn) { fixture, folder in
            let browser = fixture.browser()
            let open = try await browser.get(fixture.authorize("B2C_1A_SignIn"))
            try folder.add("SignIn", "SignIn", claims: ["nothing"])
            let broken = try await browser.get(fixture.authorize("B2C_1A_SignIn"))
            #expect(broken.status == 400)
            #expect(broken.text.contains("SignIn.xml:8: error: ") && broken.text.contains("nothing"), "\(broken.text)")
            #expect(fixture.log.lines.last?.contains("SignIn.xml:8: error: ") == true)
            try folder.add("SignIn", "SignIn", claims: ["displayName"])
            let page = try await browser.get(fixture.authorize("B2C_1A_SignIn"))
            #expect(page.status == 200)
            #expect(try await browser.submit(open, answers).text.contains("The policies have changed"))
            #expect(try await browser.submit(page, answers).redirect["code"] != nil)
        }
    }

    @Test func fillsThePageOfTheFolder() async throws {
        try await withCustomPolicies { folder in
            try folder.add("PasswordReset", "Reset")
            try folder.write("Own Page.html", "<html><body><p>Ours</p><div id=\"api\"></div></body></html>")
        } _: { fixture, _ in
            let page = try await fixture.browser().get(fixture.authorize("B2C_1A_PasswordReset"))
            #expect(page.text.contains("<p>Ours</p>") && page.text.contains("id=\"emailControl\""))
        }
    }

    @Test func refusesAFolderThatAnUploadWouldRefuse() async throws {
        await #expect(throws: EmulatorError.self) {
            try await withCustomPolicies {
                try $0.add("SignIn", "SignIn", claims: ["nothing"])
            } _: { _, _ in
            }
        }
        await #expect(throws: EmulatorError.self) {
            try await withCustomPolicies { _ in
            } _: { _, _ in
            }
        }
    }
}
