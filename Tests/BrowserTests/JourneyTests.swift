import Foundation
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

extension Pages {
    /// The pages of custom policies in a browser.
    @Suite struct JourneyTests {
        private static let pages = FilePath(#filePath).removingLastComponent().removingLastComponent()
            .appending("SusiEmulatorTests/Policies/Pages.xml")

        private static let signIn = """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0"
              TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_SignIn" PublicPolicyUri="http://contoso.onmicrosoft.com/x">
              <BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>B2C_1A_Pages</PolicyId></BasePolicy>
              <RelyingParty><DefaultUserJourney ReferenceId="SignIn" />
                <TechnicalProfile Id="PolicyProfile"><Protocol Name="OpenIdConnect" />
                  <OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" /></OutputClaims>
                  <SubjectNamingInfo ClaimType="sub" />
                </TechnicalProfile>
              </RelyingParty>
            </TrustFrameworkPolicy>
            """

        @Test func signsUpAndInAtThePagesOfAFolder() async throws {
            try await withTemporaryFolder { folder in
                try folder.appending("Pages.xml").write(try Self.pages.text())
                try folder.appending("SignIn.xml").write(Self.signIn)
                try await withFixture { tenant in
                    tenant.policyFolder = PolicyFolderSettings(
                        path: folder.string, settings: ["Service": "http://localhost:1"])
                } _: { fixture in
                    try await signUp(fixture)
                    try await signIn(fixture)
                }
            }
        }

        private func signUp(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: PageTests.address("B2C_1A_SignIn", fixture))
            try await browser.inspect("journey-sign-in")
            try await browser.click("#createAccount")
            try await browser.waitForTitle("Sign up")
            try await browser.inspect("journey-sign-up")
            try await browser.fill("#email", with: "dora@contoso.example")
            try await browser.fill("#displayName", with: "Dora")
            try await browser.click("#email_ver_but_send")
            _ = try await browser.find("#email_ver_input")
            try await browser.inspect("journey-code")
            try await browser.fill("#email_ver_input", with: try fixture.code(to: "dora@contoso.example"))
            try await browser.click("#email_ver_but_verify")
            _ = try await browser.find("#email[readonly]")
            #expect(try await browser.attribute("value", of: "#displayName") == "Dora")
            try await browser.fill("#newPassword", with: "Secret-99")
            try await browser.fill("#reenterPassword", with: "Secret-99")
            try await browser.click("#color_red")
            try await browser.click("#hobbies_go")
            try await browser.click("#continue")
            try await browser.waitForURL { $0.hasPrefix("http://localhost:1/?") && $0.contains("code=") }
            let dora = try #require(try fixture.database.user(email: "dora@contoso.example"))
            #expect("\(dora.attributes)".contains("red"))
        }

        // Enter presses the main button, and a wrong password is told beside it.
        private func signIn(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: PageTests.address("B2C_1A_SignIn", fixture) + "&prompt=login")
            try await browser.fill("#email", with: "dora@contoso.example")
            try await browser.fill("#password", with: "wrong")
            try await browser.click("#next")
            _ = try await browser.find("#claimVerificationServerError")
            try await browser.inspect("journey-wrong-password")
            try await browser.fill("#password", with: "Secret-99")
            try await browser.press(.enter)
            try await browser.waitForURL { $0.hasPrefix("http://localhost:1/?") && $0.contains("code=") }
        }
    }
}
