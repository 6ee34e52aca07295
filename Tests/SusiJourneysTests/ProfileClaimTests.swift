import SusiBase
import Testing

@testable import SusiJourneys

/// Which claims go into profiles and come out of them.
@Suite struct ProfileClaimTests {
    private typealias Fixture = JourneyFixture
    private let signIn = ["email": "ana@contoso.example", "password": "Secret-1"]
    private static let copyOutput = #"<OutputClaim ClaimTypeReferenceId="copy" />"#

    @Test(arguments: [(#"{"authenticationSource": null}"#, nil), ("{}", "never")] as [(String, JSONNode?)])
    func keepsAnEmptyClaimFromItsDefaultValue(body: String, expected: JSONNode?) throws {
        let output = #"<OutputClaim ClaimTypeReferenceId="note" /></OutputClaims>"#
        let refresh = [
            Fixture.exchange("Redeemed"), Fixture.exchange("Level"), Fixture.exchange("Read"), Fixture.send(),
        ]
        var host = try Fixture.host(
            [Fixture.send()], refresh: refresh,
            replacing: [(output, output.replacing("note", with: "authenticationSource"))])
        host.services["/level"] = .json(200, body)
        let outcome = try host.run(.refresh(ClaimsBag(["objectId": .string("ana"), "level": .int(1)]))) { _, _ in nil }
        #expect(outcome?.claims?["sub"] == "ana" && outcome?.claims?["source"] == expected)
    }

    @Test(arguments: [("", nil), ("Berg", "Berg")] as [(String, JSONNode?)])
    func keepsAnEmptyFieldFromItsDefaultValue(surname: String, expected: JSONNode?) throws {
        let outputs =
            #"<OutputClaim ClaimTypeReferenceId="displayName" Required="true" /><OutputClaim ClaimTypeReferenceId="surname" />"#
        let page = "<OutputClaims>\(outputs)"
        let display = "<DisplayClaims>\(outputs.replacing("OutputClaim", with: "DisplayClaim"))</DisplayClaims>"
        let changed = display + page.replacing(#""surname" />"#, with: #""surname" DefaultValue="Unknown" />"#)
        var host = try Fixture.host(
            [Fixture.combined(), Fixture.exchange("ProfilePage"), Fixture.send()], replacing: [(page, changed)])
        let outcome = try host.run { page, _ in
            page.kind == .combined ? page.submit(signIn) : page.submit(["displayName": "x", "surname": surname])
        }
        #expect(outcome?.claims?["family_name"] == expected && outcome?.claims?["name"] == "x")
    }

    @Test func keepsPasswordsInTheirPage() throws {
        let output = #"<OutputClaim ClaimTypeReferenceId="password" />"#
        var host = try Fixture.host(Fixture.signIn, replacing: [(Self.copyOutput, output + Self.copyOutput)])
        let outcome = try host.run { page, _ in page.submit(signIn) }
        #expect(outcome?.claims?["copy"] == "Secret-1" && outcome?.claims?["password"] == nil)
    }

    /// A password of a service is one too, and so is what is made of it.
    @Test func hidesWhatIsMadeOfAPassword() throws {
        let parts = [
            (
                #"<OutputClaim ClaimTypeReferenceId="level" DefaultValue="7" />"#,
                #"<OutputClaim ClaimTypeReferenceId="password" />"#
            ),
            (#"TransformationMethod="CopyClaim""#, #"TransformationMethod="ChangeCase""#),
            (
                #"<InputClaim ClaimTypeReferenceId="password" TransformationClaimType="inputClaim" /></InputClaims>"#,
                #"<InputClaim ClaimTypeReferenceId="password" TransformationClaimType="inputClaim1" /></InputClaims><InputParameters><InputParameter Id="toCase" DataType="string" Value="UPPER" /></InputParameters>"#
            ),
            (
                #"<OutputClaim ClaimTypeReferenceId="note" /></OutputClaims>"#,
                #"<OutputClaim ClaimTypeReferenceId="note" /></OutputClaims><OutputClaimsTransformations><OutputClaimsTransformation ReferenceId="CopyPassword" /></OutputClaimsTransformations>"#
            ),
        ]
        var host = try Fixture.host(
            [Fixture.exchange("Level"), Fixture.exchange("ProfilePage"), Fixture.send()], replacing: parts)
        host.services["/level"] = .json(200, #"{"password": "From-service", "note": "not From-service"}"#)
        _ = try host.run { _, _ in nil }
        #expect(!host.stored.contains("From-service") && host.stored.contains("FROM-SERVICE"))
        let values = host.trace.flatMap { $0.added.values }
        #expect(!values.contains { $0.uppercased().contains("FROM-SERVICE") } && values.contains("not •••"))
    }

    @Test func alwaysUsesADefaultValueThatSaysSo() throws {
        var host = try Fixture.host([Fixture.hint] + Fixture.signIn)
        host.facts.parameters = ["id_token_hint": "hint", "login_hint": "hint@contoso.example"]
        host.hint = .claims(["email": "ana@contoso.example"])
        _ = try host.run { _, _ in nil }
        #expect(host.pages.first?.fields.first?.value == "hint@contoso.example")
    }

    /// A default value of an input claim is a claim for the transformations of its profile only.
    @Test func makesClaimsOfInputsForItsTransformationsOnly() throws {
        let inputs =
            #"<InputClaims><InputClaim ClaimTypeReferenceId="surname" /><InputClaim ClaimTypeReferenceId="note" /></InputClaims>"#
        let copied =
            #"<InputClaim ClaimTypeReferenceId="surname" /><InputClaim ClaimTypeReferenceId="password" DefaultValue="from a default" />"#
        let outputs =
            #"<OutputClaim ClaimTypeReferenceId="level" DefaultValue="7" /><OutputClaim ClaimTypeReferenceId="note" /></OutputClaims>"#
        let transformation =
            #"<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId="CopyPassword" /></OutputClaimsTransformations>"#
        var host = try Fixture.host(
            [Fixture.exchange("Level"), Fixture.send()],
            replacing: [
                (inputs, "<InputClaims>\(copied)</InputClaims>"), (outputs, outputs + transformation),
                (Self.copyOutput, Self.copyOutput + #"<OutputClaim ClaimTypeReferenceId="password" />"#),
            ])
        let claims = try host.run { _, _ in nil }?.claims
        #expect(claims?["copy"] == "from a default" && claims?["password"] == nil)
    }

    @Test func asksForNothingThatAValidationGives() throws {
        let output = #"<OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="local" /></OutputClaims>"#
        let more = #"<OutputClaim ClaimTypeReferenceId="displayName" />"#
        var host = try Fixture.host(
            [Fixture.exchange("SignUpPage"), Fixture.send()],
            replacing: [(output + "\n        <Include", more + output + "\n        <Include")])
        _ = try host.run { _, _ in nil }
        #expect(host.pages.first?.fields.map(\.claim) == ["email", "newPassword", "reenterPassword"])
    }

    @Test func givesInputsOfAPageToItsValidations() throws {
        let input = #"<InputClaims><InputClaim ClaimTypeReferenceId="displayName" />"#
        var host = try Fixture.host(
            [Fixture.combined(), Fixture.exchange("ProfilePage"), Fixture.send()],
            replacing: [(input, input + #"<InputClaim ClaimTypeReferenceId="note" DefaultValue="of the page" />"#)])
        let outcome = try host.run { page, _ in page.submit(page.kind == .combined ? signIn : ["displayName": "x"]) }
        #expect(host.calls.map(\.body) == [#"{"note":"of the page"}"#] && outcome?.claims?["note"] == nil)
    }

    @Test(arguments: [("true", 2), ("false", 1)])
    func continuesOnSuccessUnlessToldNotTo(continues: String, calls: Int) throws {
        let validation =
            #"<ValidationTechnicalProfile ReferenceId="Level" ContinueOnError="true" /><ValidationTechnicalProfile ReferenceId="Create" />"#
        let changed =
            "<ValidationTechnicalProfile ReferenceId='Level' ContinueOnSuccess='\(continues)' /><ValidationTechnicalProfile ReferenceId='MailCode' />"
        var host = try Fixture.host(
            [Fixture.exchange("SignUpPage"), Fixture.send()],
            replacing: [(validation, changed), (#"PartnerClaimType="Verified.Email" Required="true" />"#, "/>")])
        let outcome = try host.run { page, _ in
            page.submit(["email": "a@b.example", "newPassword": "Secret-2", "reenterPassword": "Secret-2"])
        }
        #expect(outcome?.claims?["email"] == "a@b.example" && host.calls.count == calls)
    }

    @Test(
        arguments: [("<Item Key=\"EnforceEmailVerification\">False</Item>", nil), ("", Verification.open)]
            as [(String, Verification?)])
    func verifiesAddressesUnlessToldNotTo(item: String, expected: Verification?) throws {
        let metadata =
            #"<Item Key="ContentDefinitionReferenceId">api.page</Item></Metadata>"#
            + "\n        <OutputClaims><OutputClaim ClaimTypeReferenceId=\"objectId\" /><OutputClaim ClaimTypeReferenceId=\"email\" Part"
        var host = try Fixture.host(
            [Fixture.exchange("SignUpPage"), Fixture.send()], replacing: [(metadata, item + metadata)])
        _ = try host.run { _, _ in nil }
        #expect(host.pages.first?.fields.map(\.claim) == ["email", "newPassword", "reenterPassword", "displayName"])
        #expect(host.pages.first?.fields.first?.verification == expected)
    }
}
