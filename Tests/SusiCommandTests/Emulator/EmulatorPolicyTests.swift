import Foundation
import SusiBase
import SusiTestSupport
import SystemPackage
import Testing

/// `susi emulator run --policies` with the policies of the emulator's tests.
@Suite("Emulator with custom policies", .inTurn, .timeLimit(.minutes(5))) struct EmulatorPolicyTests {
    private static let base = ReadmeTests.root.appending("Tests/SusiEmulatorTests/Policies/Pages.xml")

    private static func text(claim: String) -> String {
        """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0"
          TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_SignIn" PublicPolicyUri="http://contoso.onmicrosoft.com/x">
          <BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>B2C_1A_Pages</PolicyId></BasePolicy>
          <RelyingParty><DefaultUserJourney ReferenceId="SignIn" />
            <TechnicalProfile Id="PolicyProfile"><Protocol Name="OpenIdConnect" /><OutputClaims>
              <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" />
              <OutputClaim ClaimTypeReferenceId="\(claim)" />
            </OutputClaims><SubjectNamingInfo ClaimType="sub" /></TechnicalProfile>
          </RelyingParty>
        </TrustFrameworkPolicy>
        """
    }

    private static func withFolder(
        claim: String = "displayName", _ body: (SusiBinary, FilePath) async throws -> Void
    ) async throws {
        try await withSusi { susi in
            let folder = susi.home.work("policies")
            try folder.makeFolder()
            let service = try base.text().replacing("{Settings:Service}", with: "http://localhost:1")
            try folder.appending("Pages.xml").write(service)
            try folder.appending("SignIn.xml").write(text(claim: claim))
            try await body(susi, folder)
        }
    }

    @Test func servesAFolder() async throws {
        try await Self.withFolder { susi, _ in
            let command = ["emulator", "exec", "--policies", "policies", "sh", "-c", "cat \"$SUSI_CONFIG\""]
            let outcome = try await susi.command(command).run()
            #expect(outcome.status == 0, "\(outcome)")
            let file = try JSONNode(parsing: outcome.standardOutput.utf8)
            let policies = file["applications"]?.members.first?.node["policies"]
            #expect(policies?["B2C_1A_SignIn"]?["kind"]?.string == "signUpOrSignIn", "\(outcome)")
        }
    }

    @Test func doesNotStartWithMistakes() async throws {
        try await Self.withFolder(claim: "nothing") { susi, folder in
            let outcome = try await susi.run("emulator", "run", "--port", "0", "--policies", "policies")
            #expect(outcome.status == 1)
            #expect(outcome.standardError.contains("policies/SignIn.xml:7: error: "), "\(outcome)")
            try folder.appending("SignIn.xml").write(Self.text(claim: "displayName"))
            try folder.appending("more").makeFolder()
            try folder.appending("more/SignIn.xml").write(Self.text(claim: "displayName"))
            let twice = try await susi.run("emulator", "run", "--port", "0", "--policies", "policies")
            #expect(twice.status == 64 && twice.standardError.contains("policies/more/SignIn.xml"), "\(twice)")
            let lone = try await susi.run("emulator", "run", "--settings", "A=b")
            #expect(lone.status == 64 && lone.standardError.contains("need --policies"), "\(lone)")
        }
    }
}
