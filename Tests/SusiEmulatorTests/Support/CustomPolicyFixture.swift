import Foundation
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// A folder with the policy `Pages` and relying parties of it.
struct CustomPolicyFolder {
    let path: FilePath

    /// Writes a relying party of a journey. `claims` are OutputClaims as `id` or `id=partner`.
    func add(
        _ name: String, _ journey: String, subject: String = "objectId", claims: [String] = [],
        behaviors: String = "", endpoints: String = ""
    ) throws {
        let outputs = (["\(subject)=sub"] + claims).map { claim in
            let parts = claim.split(separator: "=")
            let partner = parts.count > 1 ? " PartnerClaimType=\"\(parts[1])\"" : ""
            return "<OutputClaim ClaimTypeReferenceId=\"\(parts[0])\"\(partner) />"
        }
        try write(
            "\(name).xml",
            """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0"
              TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_\(name)" PublicPolicyUri="http://contoso.onmicrosoft.com/x">
              <BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>B2C_1A_Pages</PolicyId></BasePolicy>
              <RelyingParty>
                <DefaultUserJourney ReferenceId="\(journey)" />
                \(endpoints)\(behaviors)
                <TechnicalProfile Id="PolicyProfile"><Protocol Name="OpenIdConnect" />
                  <OutputClaims>\(outputs.joined())</OutputClaims><SubjectNamingInfo ClaimType="sub" />
                </TechnicalProfile>
              </RelyingParty>
            </TrustFrameworkPolicy>
            """)
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path.appending(name).string))
    }

    static let endpoints = """
        <Endpoints><Endpoint Id="Token" UserJourneyReferenceId="Refresh" />\
        <Endpoint Id="UserInfo" UserJourneyReferenceId="UserInfo" /></Endpoints>
        """
    static let pages = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Policies/Pages.xml")
}

/// Runs an emulator that serves relying parties of the policy `Pages`.
func withCustomPolicies(
    service: String = "http://localhost:1", _ relyingParties: (CustomPolicyFolder) throws -> Void,
    changing change: (inout TenantConfiguration) -> Void = { _ in },
    _ body: (EmulatorFixture, CustomPolicyFolder) async throws -> Void
) async throws {
    try await withTemporaryFolder { path in
        let folder = CustomPolicyFolder(path: path)
        try folder.write("Pages.xml", try String(contentsOf: CustomPolicyFolder.pages, encoding: .utf8))
        try relyingParties(folder)
        try await withFixture({ tenant in
            tenant.policyFolder = PolicyFolderSettings(path: path.string, settings: ["Service": service])
            tenant.policyKeys = ["B2C_1A_Key": "key-secret"]
            change(&tenant)
        }) { fixture in try await body(fixture, folder) }
    }
}

extension Browser {
    /// Presses a button of a journey's page, with these fields.
    func press(_ id: String, _ page: Received, _ fields: [String: String?] = [:]) async throws -> Received {
        let button = try #require(
            page.text.matches(of: /<button ([^>]*)>/).first { $0.1.contains("id=\"\(id)\"") },
            "no \(id) in \(page.text)")
        var all = fields
        if let value = button.1.firstMatch(of: /value="([^"]*)"/) { all["susi:do"] = String(value.1) }
        return try await submit(page, all)
    }
}
