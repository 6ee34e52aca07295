import Testing

@testable import SusiJourneys

@Suite struct FolderCheckTests {
    private static func policy(_ id: String, base: String? = nil, tenant: String = "a.example", _ rest: String = "")
        -> String
    {
        let base =
            base.map { "<BasePolicy><TenantId>\(tenant)</TenantId><PolicyId>\($0)</PolicyId></BasePolicy>" } ?? ""
        return """
            <TrustFrameworkPolicy xmlns="\(Element.namespace)" PolicySchemaVersion="0.3.0.0" TenantId="\(tenant)"
              PolicyId="B2C_1A_\(id)" PublicPolicyUri="http://a.example">\(base)\(rest)</TrustFrameworkPolicy>
            """
    }

    private static func check(_ files: [String: String]) -> FolderCheck {
        FolderCheck(files.map { PolicySource(path: $0, content: Array($1.utf8)) })
    }

    @Test func takesTheNearestBase() {
        let schema = "<BuildingBlocks><ClaimsSchema><ClaimType Id=\"x\"/></ClaimsSchema></BuildingBlocks>"
        let party = """
            <RelyingParty><TechnicalProfile Id="p"><OutputClaims><OutputClaim ClaimTypeReferenceId="x"/></OutputClaims>\
            </TechnicalProfile></RelyingParty>
            """
        let derived = Self.policy("P", base: "b2c_1a_b", party)
        let (with, without) = (Self.policy("B", schema), Self.policy("B"))
        #expect(Self.check(["a/p.xml": derived, "a/b.xml": with, "b.xml": without]).findings.isEmpty)
        #expect(Self.check(["a/c/p.xml": derived, "a/b.xml": with, "b.xml": without]).findings.isEmpty)
        #expect(Self.check(["a/p.xml": derived, "d/b.xml": with]).findings.isEmpty)
        #expect(
            Self.check(["a/p.xml": derived, "b.xml": without, "d/b.xml": with]).findings.map(\.kind) == ["reference"])
        let several = Self.check(["a/p.xml": derived, "c/b.xml": with, "d/b.xml": with])
        #expect(several.findings.map(\.severity) == [.warning])
        #expect(several.findings.map(\.hint) == ["c/b.xml, d/b.xml: put it beside this file, or above"])
    }

    @Test func reportsAMistakeOfABaseOnce() throws {
        let short = "JWT</OutputTokenFormat><Metadata><Item Key=\"token_lifetime_secs\">1</Item></Metadata>"
        let base = try PolicyFixture.plant("Base", "JWT</OutputTokenFormat>", short).text
        let party = try PolicyFixture.plant("SignUp", "\"EMAIL\"", "\"mail\"").text
        let check = try PolicyFixture.check(["Base.xml": base, "SignUp.xml": party])
        #expect(check.findings.count == 2)
        #expect(check.refused.map(\.path) == ["Base.xml", "SignUp.xml"])
        #expect(check.refused.map(\.errors) == [1, 1])
    }

    // A merged step is where the derived policy has it.
    @Test func countsMistakesOfAPolicyThatChangesItsBase() throws {
        let steps = """
            <UserJourneys><UserJourney Id="SignUp"><OrchestrationSteps><OrchestrationStep Order="1" Type="ClaimsExchange">\
            <ClaimsExchanges><ClaimsExchange Id="N" TechnicalProfileReferenceId="Page"/></ClaimsExchanges></OrchestrationStep>\
            </OrchestrationSteps></UserJourney></UserJourneys><RelyingParty>
            """
        let party = try PolicyFixture.plant("SignUp", "<RelyingParty>", steps)
        let check = try PolicyFixture.check(["SignUp.xml": party.text])
        #expect(check.refused.map(\.path) == ["SignUp.xml"])
        #expect(check.findings.map(\.line) == [party.line])
    }

    // The upload of the changed policy fails by what its base has.
    @Test func countsMistakesWhereTheyAre() throws {
        let mistake = try #require(PlantedMistake.all.first { $0.other == "Base" && $0.kind == "directory" })
        let text = try PolicyFixture.plant(mistake.file, mistake.part, mistake.new).text
        let check = try PolicyFixture.check(["\(mistake.file).xml": text])
        #expect(check.findings.filter { $0.severity == .error }.map(\.path) == ["Base.xml"])
        #expect(check.refused.map(\.path) == ["\(mistake.file).xml"])
        #expect(check.refused.map(\.errors) == [0])
    }

    @Test func limitsTheNumberOfBases() {
        let files = (0...12).map { number in
            ("\(number).xml", Self.policy("\(number)", base: number == 0 ? nil : "B2C_1A_\(number - 1)"))
        }
        let found = Self.check(Dictionary(uniqueKeysWithValues: files)).findings
        #expect(found.map { "\($0.path) \($0.kind)" } == ["11.xml chain", "12.xml chain"])
        let cycle = Self.check([
            "0.xml": Self.policy("0", base: "B2C_1A_1"), "1.xml": Self.policy("1", base: "B2C_1A_0"),
        ])
        #expect(cycle.findings.map(\.text) == ["The policy B2C_1A_0 has itself as a base"])
    }

    @Test func ignoresOtherFiles() {
        let settings = #"{"Environments": [{"Name": "Dev"}], "EnvironmentsFolder": "built"}"#
        let check = Self.check([
            "a.xml": "<a/>", "broken.xml": "<a>", "policy.xml": "<TrustFrameworkPolicy xmlns='\(Element.namespace)'>",
            "b/appsettings.json": settings,
            "b/p.xml": Self.policy("P"), "b/built/Dev/p.xml": Self.policy("P"), "Environments/x.xml": Self.policy("X"),
            "other/appsettings.json": #"{"Logging": 1}"#, "c.txt": Self.policy("C"),
            "d.xml": "<TrustFrameworkPolicy xmlns='urn:other'/>",
        ])
        #expect(check.policies == ["b/p.xml"])
        #expect(check.ignored == ["a.xml", "broken.xml", "d.xml"])
        #expect(check.environments == ["Dev"])
        #expect(check.findings.map { "\($0.path) \($0.kind)" } == ["policy.xml xml"])
    }

    @Test(arguments: [
        ("yourtenant.onmicrosoft.com", "placeholder"), ("{{tenant}}", "placeholder"), ("${T}.example", "placeholder"),
        ("__tenant__", "placeholder"), ("contoso.example", ""), ("contoso-b2c.example", "schema"),
    ])
    func tellsPlaceholdersFromMistakes(tenant: String, kind: String) {
        #expect(
            Set(Self.check(["p.xml": Self.policy("P", tenant: tenant)]).findings.map(\.kind))
                == (kind.isEmpty ? [] : [kind]))
    }

    @Test func saysWhereAJourneyNeedsWhatSusiDoesNotRun() throws {
        let transformation = "<ClaimsTransformation Id=\"Uri\" TransformationMethod=\"BuildUri\"/>"
        let text = try PolicyFixture.text("SignIn").replacing(
            "<ClaimsTransformations>", with: "<ClaimsTransformations>\(transformation)")
        #expect(try PolicyFixture.check(["SignIn.xml": text]).findings.map(\.hint) == ["not reached"])
        let used = text.replacing("ReferenceId=\"IsInvited\"", with: "ReferenceId=\"Uri\"")
        #expect(
            try PolicyFixture.check(["SignIn.xml": used]).findings.map(\.hint) == ["reached in journey SignIn, step 3"])
    }

    @Test func namesClaimsOfAHintThatAreNotKept() throws {
        let steps = """
            <OrchestrationSteps><OrchestrationStep Order="1" Type="GetClaims" CpimIssuerTechnicalProfileReferenceId="Provider"/>
            """
        let hinted = """
            <UserJourneys><UserJourney Id="Hint">\(steps)
            <OrchestrationStep Order="2" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="Tokens"/></OrchestrationSteps>
            </UserJourney>
            """
        let text = try PolicyFixture.text("SignIn").replacing("<UserJourneys>", with: hinted)
            .replacing("Journey ReferenceId=\"SignIn\"", with: "Journey ReferenceId=\"Hint\"")
            .replacing("ReferenceId=\"objectId\" P", with: "ReferenceId=\"email\" P").replacing(
                "\"level\" />\n      </O", with: "\"email\" />\n      </O")
        #expect(
            try PolicyFixture.check(["SignIn.xml": text]).findings.map(\.text).first?.hasPrefix(
                "\"email\" of the ID token hint") ?? false)
        let kept = text.replacing(
            "<Protocol Name=\"OpenIdConnect\" />",
            with: """
                <Protocol Name="OpenIdConnect" /><InputClaims><InputClaim ClaimTypeReferenceId="email"/></InputClaims>
                """)
        #expect(try PolicyFixture.check(["SignIn.xml": kept]).findings.map(\.text).isEmpty)
    }

    // Each of these took a time that grows with the square of the size, or more.
    private static let hostile = [
        String(repeating: "<X/>", count: 60_000), String(repeating: "<BuildingBlocks/>", count: 40_000),
        "<ClaimsProviders><ClaimsProvider><TechnicalProfiles>"
            + (0..<2_000).map {
                "<TechnicalProfile Id=\"\($0)\"><IncludeTechnicalProfile ReferenceId=\"\($0 + 1)\"/></TechnicalProfile>"
            }.joined()
            + "</TechnicalProfiles></ClaimsProvider></ClaimsProviders>",
        "<BuildingBlocks><ClaimsSchema>" + (0..<10_000).map { "<ClaimType Id=\"c\"><A\($0)/></ClaimType>" }.joined()
            + "</ClaimsSchema></BuildingBlocks>",
    ]

    // By number, since the arguments of a test are printed.
    @Test(.timeLimit(.minutes(5)), arguments: hostile.indices)
    func endsSoon(index: Int) {
        let content = Self.hostile[index]
        #expect(
            !Self.check(["p.xml": Self.policy("P", content), "q.xml": Self.policy("Q", base: "B2C_1A_P", content)])
                .findings.isEmpty)
    }
}
