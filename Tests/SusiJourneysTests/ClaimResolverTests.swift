import Testing

@testable import SusiJourneys

@Suite struct ClaimResolverTests {
    private static let facts: RequestFacts = {
        var facts = ClaimFixture.facts([
            "login_hint": "ana@contoso.com", "client_id": "app", "domain_hint": "d", "max_age": "5", "nonce": "n",
            "prompt": "login", "redirect_uri": "https://a.example/", "resource": "r", "scope": "openid",
            "username": "bob", "password": "{OIDC:ClientId}", "acr_values": "v", "campaignid": "hawaii",
        ])
        (facts.language, facts.correlationID) = ("de-AT", "id")
        (facts.ipAddress, facts.hostName, facts.keepsSignedIn) = ("127.0.0.1", "localhost", true)
        return facts
    }()

    private static func bag() -> ClaimsBag {
        var bag = ClaimsBag()
        bag["isMember"] = true
        return bag
    }

    @Test(arguments: [
        ("{OIDC:LoginHint}", "ana@contoso.com"), ("{oidc:clientid}", "app"), ("{OIDC:DomainHint}", "d"),
        ("{OIDC:MaxAge}", "5"), ("{OIDC:Nonce}", "n"), ("{OIDC:Prompt}", "login"), ("{OIDC:Resource}", "r"),
        ("{OIDC:RedirectUri}", "https://a.example/"), ("{OIDC:Scope}", "openid"), ("{OIDC:Username}", "bob"),
        ("{OIDC:AuthenticationContextReferences}", "v"), ("{OAUTH-KV:campaignId}", "hawaii"), ("{OAUTH-KV:x}", ""),
        ("{Context:CorrelationId}", "id"), ("{Context:IPAddress}", "127.0.0.1"), ("{Context:HostName}", "localhost"),
        ("{CONTEXT:KMSI}", "true"), ("{Context:DeploymentMode}", "Development"), ("{Context:BuildNumber}", "1.0.0.0"),
        ("{Context:DateTimeInUtc}", "1/1/2022 12:00:00 AM"), ("{Culture:LanguageName}", "de"),
        ("{Culture:RegionName}", "AT"), ("{Culture:RFC5646}", "de-AT"), ("{Culture:LCID}", "1031"),
        ("{Policy:PolicyId}", "B2C_1A_P"), ("{Policy:TenantObjectId}", "11111111-2222-3333-4444-555555555555"),
        ("{Policy:TrustFrameworkTenantId}", "contoso.onmicrosoft.com"),
        ("{Policy:RelyingPartyTenantId}", "contoso.onmicrosoft.com"), ("{Claim:ISMEMBER}", "True"), ("{Claim:x}", ""),
        ("{tenant}", "contoso.onmicrosoft.com"), ("{RelyingPartyTenantId}", "contoso.onmicrosoft.com"),
        ("{policy}", "B2C_1A_P"), ("{tenantId}", "11111111-2222-3333-4444-555555555555"), ("{service:te}", "localhost"),
        ("{oauth2:access_token}", ""), ("{SAML:Issuer}", ""), ("{OIDC:Unknown}", "{OIDC:Unknown}"),
        ("{objectId}", "{objectId}"), ("a{policy}b{tenant", "aB2C_1A_Pb{tenant"), ("{{policy}}", "{B2C_1A_P}"),
        ("}{", "}{"),
        // What a person types is not resolved.
        ("{OIDC:Password}", "{OIDC:ClientId}"),
    ])
    func resolves(text: String, expected: String) throws {
        #expect(try ClaimFixture.policy("").resolve(text, Self.bag(), Self.facts) == expected)
    }

    @Test(
        arguments: [
            ("a{policy}{OIDC:ClientId}{Claim:x}", "{OIDC:ClientId}"), ("{oidc:Username}{OIDC:Password}", nil),
            ("{objectId}", nil), ("{OIDC:ClientId", nil), ("", nil),
        ] as [(String, String?)])
    func findsTheFirstResolverThatNeedsMetadata(text: String, expected: String?) {
        #expect(ClaimResolver.first(in: text) == expected)
    }

    private static func profiles(_ metadata: String) -> String {
        """
        <ClaimsProviders><ClaimsProvider><TechnicalProfiles><TechnicalProfile Id="P"><Metadata>\(metadata)</Metadata>
        <InputClaims><InputClaim ClaimTypeReferenceId="c" DefaultValue="§"/></InputClaims></TechnicalProfile>
        </TechnicalProfiles></ClaimsProvider></ClaimsProviders><RelyingParty><TechnicalProfile Id="R"><OutputClaims>
        <OutputClaim ClaimTypeReferenceId="c" DefaultValue="§"/></OutputClaims></TechnicalProfile></RelyingParty>
        """
    }

    private static let resolving = "<Item Key='includeClaimResolvingInClaimsHandling'>true</Item>"

    @Test(
        arguments: [
            ("", "{OIDC:ClientId}", "string", nil, ClaimValue.string("{OIDC:ClientId}")),
            (resolving, "{OIDC:ClientId}", "string", nil, .string("app")),
            (resolving, "{OIDC:IdTokenHint}{OAUTH-KV:x}", "string", nil, .string("{OIDC:IdTokenHint}")),
            (resolving, "{OAUTH-KV:x}", "string", nil, nil), ("", "", "string", nil, .string("")),
            ("", "{policy}", "string", nil, .string("B2C_1A_P")),
            ("", "{OIDC:Username}", "string", nil, .string("{OIDC:Username}")),
            ("", "{OIDC:Username}{OIDC:ClientId}", "string", "password", .string("bob{OIDC:ClientId}")),
            ("", "true", "boolean", nil, .boolean(true)), (resolving, "{OIDC:MaxAge}", "int", nil, .int(5)),
        ] as [(String, String, String, String?, ClaimValue?)])
    func resolvesDefaultValuesWhereItMay(
        metadata: String, text: String, type: String, grant: String?, expected: ClaimValue?
    ) throws {
        let policy = try ClaimFixture.policy(
            "<ClaimsSchema><ClaimType Id=\"c\"><DataType>\(type)</DataType></ClaimType></ClaimsSchema>",
            Self.profiles(metadata).replacing("§", with: text))
        var facts = Self.facts
        facts.parameters["grant_type"] = grant
        let profile = try #require(policy.profile("P"))
        #expect(try policy.defaultValue(of: profile.inputClaims[0], in: profile, Self.bag(), facts) == expected)
    }

    @Test func resolvesDefaultValuesOfTheRelyingParty() throws {
        let policy = try ClaimFixture.policy(
            "<ClaimsSchema><ClaimType Id=\"c\"/></ClaimsSchema>",
            Self.profiles("").replacing("§", with: "{OIDC:ClientId}"))
        let party = try #require(policy.partyProfile)
        #expect(try policy.defaultValue(of: party.outputClaims[0], in: party, Self.bag(), Self.facts) == .string("app"))
    }

    @Test func failsWhereADefaultValueIsOfAnotherType() throws {
        let policy = try ClaimFixture.policy(
            "<ClaimsSchema><ClaimType Id=\"c\"><DataType>int</DataType></ClaimType></ClaimsSchema>",
            Self.profiles("").replacing("§", with: "many"))
        let profile = try #require(policy.profile("P"))
        #expect(throws: ClaimConversionError(found: "a string", type: .int)) {
            try policy.defaultValue(of: profile.inputClaims[0], in: profile, Self.bag(), Self.facts)
        }
    }

    @Test func namesResolversOfAProtocolThatDoesNotRun() throws {
        let policy = try ClaimFixture.policy("", Self.profiles("").replacing("§", with: "{saml:Issuer}"))
        var check = SupportCheck(policy)
        check.check()
        #expect(
            check.problems.found.map(\.problem.text)
                == Array(repeating: "susi does not run the claim resolver {saml:Issuer}", count: 2))
    }
}
