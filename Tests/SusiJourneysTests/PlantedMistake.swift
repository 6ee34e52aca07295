import Testing

/// A mistake in one of the small policies, and what the check finds then: one kind in one line, or nothing.
struct PlantedMistake: Sendable, CustomTestStringConvertible {
    let file: String
    let part: String
    let new: String
    /// Empty if nothing is found.
    let kind: String
    let text: String
    /// A text in the line that is named, if it is not the changed one.
    let place: String?
    /// The file that is named, if it is another one.
    let other: String?

    init(
        _ file: String, _ part: String, _ new: String, _ kind: String = "", _ text: String = "",
        at place: String? = nil,
        of other: String? = nil
    ) {
        (self.file, self.part, self.new, self.kind, self.text) = (file, part, new, kind, text)
        (self.place, self.other) = (place, other)
    }

    var testDescription: String { "\(file): \(new)" }
}

extension PlantedMistake {
    static let all = files + schema + references + profiles + pages + journeys + flow + transformations

    private typealias Case = PlantedMistake

    // Rows 1, 3 and 4.
    private static let files = [
        Case("SignUp", "</RelyingParty>", "</RelyingParts>", "xml", "</RelyingParts> instead of </RelyingParty>"),
        Case("SignUp", "<TenantId>contoso", "<TenantId>fabrikam", "tenant", "'contoso.onmicrosoft.com' is not same"),
        Case("SignUp", "<PolicyId>B2C_1A_Base", "<PolicyId>B2C_1A_Bas", "chain", "'policyId': B2C_1A_Bas cannot be"),
        Case("SignUp", "<PolicyId>B2C_1A_Base", "<PolicyId>B2C_1A_SignUp", "chain", "has itself as a base"),
        Case("SignUp", "<PolicyId>B2C_1A_Base", "<PolicyId>b2c_1a_base"),
        Case("SignUp", "PolicyId=\"B2C_1A_SignUp\"", "PolicyId=\"SignUp\"", "chain", "does not begin with B2C_1A_"),
        Case(
            "SignUp", "PolicyId=\"B2C_1A_SignUp\"", "PolicyId=\"B2C_1A_SignIn\"", "chain", "SignIn.xml has the policy"),
        Case(
            "SignUp", "<DisplayName>PolicyProfile", "<DisplayName>{Settings:X}", "setting", "{Settings:X} has no value"),
        Case("SignUp", "<RelyingParty>", "<!-- {Settings:X} --><RelyingParty>"),
    ]

    // Row 2.
    private static let schema = [
        Case(
            "SignUp", #"<DefaultUserJourney ReferenceId="SignUp" />"#,
            #"<UserJourneyBehaviors />§<DefaultUserJourney ReferenceId="SignUp" />"#, "schema",
            "'RelyingParty' has invalid child element 'DefaultUserJourney'"),
        Case("SignUp", "<SubjectNamingInfo ", "<A>x</A><SubjectNamingInfo ", "schema", "invalid child element 'A'"),
        Case(
            "SignUp", "contoso.onmicrosoft.com</T", "contoso.onmicrosoft.com<b/></T", "schema",
            "invalid child element 'b'"),
        Case("SignUp", "<RelyingParty>", #"<RelyingParty xmlns="urn:x">"#, "schema", "'RelyingParty (of “urn:x”)'"),
        Case(
            "SignIn", #"<Protocol Name="OAuth2" />"#, #"<Protocol Name="OAuth2"> </Protocol>"#, "schema",
            "model is empty"),
        Case("SignIn", #"<Protocol Name="OAuth2" />"#, #"<Protocol Name="OAuth2"></Protocol>"#),
        Case("SignIn", #"<Protocol Name="OAuth2" />"#, #"<Protocol Name="OAuth2" X="" />"#, "schema", "'X' attribute"),
        Case(
            "SignIn", #"<Precondition Type="ClaimEquals" ExecuteActionsIf="true">"#,
            #"§<Precondition Type="ClaimEquals" ExecuteActionsIf="true"/><Precondition Type="ClaimEquals" ExecuteActionsIf="1">"#,
            "schema", "'Precondition' has incomplete content"),
        Case("SignIn", #"Candidate Sub"#, #"Candidate X="" Sub"#, "schema", "'X' attribute of 'Candidate'"),
        Case("SignIn", #" Language="en" "#, " ", "schema", "required attribute 'Language'"),
        Case("SignIn", #"ControlType="V"#, #"ControlType="v"#, "schema", "the value 'verificationControl'"),
        Case("Base", "<InputClaims />", "<InputClaims> </InputClaims>"),
        Case("Base", #"Id="objectId"><Dis"#, #"Id="objectId">x<Dis"#, "schema", "'ClaimType' cannot contain text"),
        Case("Base", "<UserInputType>Password", "<UserInputType>password", "schema", "the value 'password'"),
        Case("Base", #"Required="true" />"#, #"Required="True" />"#, "schema", "the value 'True'"),
        Case("Base", #""0.3.0.0""#, #""0.3""#, "schema", "the value '0.3'"),
        Case("Base", "</ClaimsSchema>", #"§<ClaimType Id="email" /></ClaimsSchema>"#, "schema", "key sequence 'email'"),
        Case(
            "Base", #"<Key Id="issuer_secret" StorageReferenceId="B2C_1A_Signing" />"#, " ", "schema",
            "incomplete content"),
    ]

    // Row 5.
    private static let references = [
        Case("SignUp", #""EMAIL""#, #""mail""#, "reference", "ClaimType with id \"mail\""),
        Case(
            "SignUp", #"Journey ReferenceId="SignUp""#, #"Journey ReferenceId="X""#, "reference", "UserJourney with id"),
        Case(
            "Base", #"ReferenceId="Directory-Write""#, #"ReferenceId="X""#, "reference",
            "TechnicalProfile with id \"X\""),
        Case("Base", #"ReferenceId="Directory" "#, #"ReferenceId="X" "#, "reference", "TechnicalProfile with id \"X\""),
        Case("Base", #"ReferenceId="Session""#, #"ReferenceId="X""#, "reference", "TechnicalProfile with id \"X\""),
        Case(
            "Base", "ReferenceId\">api.page", "ReferenceId\">api.pag", "reference",
            "ContentDefinition with id \"api.pag\""),
        Case("SignIn", #"ProfileReferenceId="Tokens""#, #"ProfileReferenceId="X""#, "reference", "TechnicalProfile"),
        Case("SignIn", #"ReferenceId="IsInvited""#, #"ReferenceId="X""#, "reference", "ClaimsTransformation with id"),
        Case("SignIn", #"ReferenceId="api.signin""#, #"ReferenceId="X""#, "reference", "ContentDefinition with id"),
        Case("SignIn", #"ReferenceId="api.signin.en""#, #"ReferenceId="X""#, "reference", "LocalizedResources with id"),
        Case("SignIn", #"<PredicateReference Id="D"#, #"<PredicateReference Id="d"#),
        Case("SignIn", #"<PredicateReference Id="D"#, #"<PredicateReference Id=""#, "reference", "Predicate with id"),
        Case("SignIn", #"Reference Id="FourDigits""#, #"Reference Id="X""#, "reference", "PredicateValidation with id"),
        Case("SignIn", "<Value>invited", "<Value>invite", "reference", "ClaimType with id \"invite\""),
        Case(
            "SignIn", #"Claim ClaimTypeReferenceId="email" />"#, #"Claim ClaimTypeReferenceId="x" />"#, "reference",
            "\"x\""),
        Case("SignIn", #"ReferenceId="Ask""#, #"ReferenceId="X""#, "reference", "SubJourney with id \"X\""),
        Case(
            "SignIn", #"ExchangeTechnicalProfile TechnicalProfileReferenceId="Service""#,
            #"ExchangeTechnicalProfile TechnicalProfileReferenceId="X""#, "reference", "TechnicalProfile with id \"X\""),
    ]

    // Rows 7 to 10 and 19, resolvers, and what susi does not run.
    private static let profiles = [
        Case(
            "SignIn", ">11111111-1111-1111-1111-111111111111", ">", "metadata",
            "invalid value \"\" for the metadata item"),
        Case(
            "Base", "JWT</OutputTokenFormat>", "JWT</OutputTokenFormat>\(lifetime(299))", "metadata",
            "invalid value \"299\""),
        Case("Base", "JWT</OutputTokenFormat>", "JWT</OutputTokenFormat>\(lifetime(300))"),
        Case(
            "Base", "Key=\"Operation\"", "Key=\"X\"", "metadata", "item with key \"Operation\"",
            at: "<TechnicalProfile Id=\"Directory-W"),
        Case("SignIn", "Key=\"ServiceUrl\"", "Key=\"X\"", "metadata", "item with key \"ServiceUrl\"", at: service),
        Case(
            "SignIn",
            "</OutputClaimsTransformations>\n          <UseTechnicalProfileForSessionManagement ReferenceId=\"Session\" />",
            "</OutputClaimsTransformations>", "session", "\"Service\" has no", at: service),
        Case(
            "SignIn", "https://service.contoso", "https://{email}.contoso", "metadata",
            "for the metadata item \"ServiceUrl\""),
        Case("SignIn", "Key=\"AuthenticationType\"", "Key=\"X\"", "metadata", "\"AuthenticationType\"", at: service),
        Case(
            "SignIn", "DeploymentMode=\"Development\"", "DeploymentMode=\"Production\"", "authentication", "'Service'",
            at: service),
        Case("SignIn", "DeploymentMode=\"Development\"", "", "authentication", "'Service'", at: service),
        Case("SignIn", "DeploymentMode=\"Development\"", "DeploymentMode=\"Debugging\""),
        Case("SignIn", ">None<", ">Bearer<"),
        Case(
            "Base", #"<PersistedClaim ClaimTypeReferenceId="password" />"#,
            #"<PersistedClaim ClaimTypeReferenceId="groups" PartnerClaimType="extension_g" />"#,
            "metadata", "\"ApplicationObjectId\" was not found", at: "<TechnicalProfile Id=\"Directory-W"),
        Case(
            "Base", #"ReferenceId="isMember" DefaultValue="true" AlwaysUseDefaultValue="true""#,
            #"ReferenceId="isMember""#,
            "directory", "Output Claim 'isMember' is not supported"),
        Case(
            "Base", #"ReferenceId="isMember" DefaultValue="true" A"#,
            #"ReferenceId="isMember" PartnerClaimType="city" A"#),
        Case(
            "Base", #"<PersistedClaim ClaimTypeReferenceId="password" />"#,
            #"<PersistedClaim ClaimTypeReferenceId="password" PartnerClaimType="mail" />"#),
        Case(
            "SignIn", "<ClaimsSchema>",
            "<ClaimsSchema><ClaimType Id=\"password\"><PredicateValidationReference Id=\"FourDigits\" /></ClaimType>",
            "directory", "DisableStrongPassword is required", at: #"<PersistedClaim ClaimTypeReferenceId="password""#,
            of: "Base"),
        Case(
            "Base", #"<OutputClaim ClaimTypeReferenceId="password" />"#,
            #"<OutputClaim ClaimTypeReferenceId="groups" />"#, "output", "\"groups\" of \"Page\""),
        Case(
            "Base", #"<OutputClaim ClaimTypeReferenceId="password" />"#,
            #"<OutputClaim ClaimTypeReferenceId="groups" DefaultValue="x" />"#),
        Case(
            "SignIn", #"<Item Key="IncludeClaimResolvingInClaimsHandling">true</Item>"#, "", "resolver",
            "{OIDC:LoginHint} stays", at: #"<InputClaim ClaimTypeReferenceId="displayName""#),
        Case(
            "Base", "</UserHelpText>\n        <UserInputType>TextBox",
            "</UserHelpText>\n        <UserInputType>Paragraph",
            "output", "\"email\" is a Paragraph and required", at: #"<OutputClaim ClaimTypeReferenceId="email" Req"#),
        Case(
            "Base", #"Id="displayName"><DataType>string</DataType><UserInputType>TextBox"#,
            #"Id="displayName"><DataType>string</DataType><UserInputType>Paragraph"#),
        Case("SignIn", "{OIDC:LoginHint}", "{OIDC:LoginHint"),
        Case("SignIn", "{OIDC:LoginHint}", "{OIDC:Password}"),
        Case(
            "SignIn", "Web.TPEngine.Providers.RestfulProvider",
            "Web.TPEngine.Providers.ConditionalAccessProtocolProvider", "unsupported",
            "susi does not run profiles of ConditionalAccessProtocolProvider", at: service),
    ]

    private static let service = "        <TechnicalProfile Id=\"Service\""

    private static func lifetime(_ seconds: Int) -> String {
        "<Metadata>§<Item Key=\"token_lifetime_secs\">\(seconds)</Item></Metadata>"
    }

    // Row 16.
    private static let pages = [
        Case(
            "SignIn", "<DataUri>urn:com:microsoft:aad:b2c:elements:contract:unifiedssp:2.1.7</DataUri>", "", "page",
            "data uri is required", at: "      <ContentDefinition Id"),
        Case("SignIn", "unifiedssp:2.1.7", "unifiedssp:2.1", "page", "is invalid"),
        Case("SignIn", "contract:unifiedssp:2.1.7", "unifiedssp:2.1.7", "page", "is invalid"),
        Case("SignIn", "contract:unifiedssp:2.1.7", "unifiedssp:1.0.0", "page", "when enabling JavaScript"),
        Case("Base", "contract:selfasserted:2.1.7", "selfasserted:1.1.0", "page", "when enabling JavaScript"),
        Case("SignIn", "contract:unifiedssp:2.1.7</DataUri>", "contract:unifiedssp:1.0.0</DataUri>"),
    ]

    // Rows 13 to 15 and 18, and comparisons.
    private static let journeys = [
        Case(
            "SignIn", "Type=\"CombinedSignInAndSignUp\"", "Type=\"ClaimsExchange\"", "journey",
            "has step 2 with 2 claims exchanges", at: "        <OrchestrationStep Order=\"2\""),
        Case(
            "SignUp", "  <RelyingParty>", journey("SignUp", 1), "journey", "has step 1 with 2 claims exchanges",
            at: "<OrchestrationStep "),
        Case("SignUp", "  <RelyingParty>", journey("SignUp", 3), "", ""),
        Case(
            "SignUp", "  <RelyingParty>", journey("SignUp", 4), "journey", "Order 4 where 3 must be",
            at: "<OrchestrationStep "),
        Case(
            "SignUp", "  <RelyingParty>", journey("X", 1), "journey", "does not contain a send claims step",
            at: "<UserJourney "),
        // A selection two steps before does not choose.
        Case(
            "SignIn", #"<OrchestrationStep Order="4""#, two + #"<OrchestrationStep Order="5""#, "journey",
            "has step 4 with 2 claims exchanges"),
        Case("SignIn", "Order=\"3\"", "Order=\"2\"", "schema", "duplicate key sequence '2'"),
        Case(
            "SignIn", "TargetClaimsExchangeId=\"ProviderExchange\"", "TargetClaimsExchangeId=\"X\"", "selection",
            "\"X\" is not a claims exchange"),
        Case("SignIn", "TargetClaimsExchangeId=\"ProviderExchange\"", "", "selection", "needs one of"),
        Case(
            "Base", "<Metadata><Item Key=\"ContentDef",
            "<Metadata><Item Key=\"setting.forgotPasswordLinkOverride\">X</Item><Item Key=\"ContentDef", "selection",
            "Claim exchange 'X' provided in the request is not one of the available", at: "Order=\"1\" Type=\"Combined",
            of: "SignIn"),
        Case(
            "SignIn", "ValidationClaimsExchangeId=\"PageExchange\"", "ValidationClaimsExchangeId=\"SignUpExchange\"",
            "selection", "of step 1"),
        Case("SignIn", "<Value>True", "<Value>true", "comparison", "compared with \"true\""),
        Case("SignIn", "<Value>invited</Value><Value>True", "<Value>email</Value><Value>true"),
    ]

    private static let two = """
        <OrchestrationStep Order="4" Type="ClaimsExchange"><ClaimsExchanges>\
        <ClaimsExchange Id="A" TechnicalProfileReferenceId="Service" />\
        <ClaimsExchange Id="B" TechnicalProfileReferenceId="Provider" /></ClaimsExchanges></OrchestrationStep>
        """

    private static func journey(_ id: String, _ order: Int) -> String {
        """
        <UserJourneys>\n<UserJourney Id="\(id)"><OrchestrationSteps>\n<OrchestrationStep Order="\(order)" Type="ClaimsExchange"> \
        <ClaimsExchanges><ClaimsExchange Id="New" TechnicalProfileReferenceId="Page" /></ClaimsExchanges></OrchestrationStep> \
        </OrchestrationSteps></UserJourney></UserJourneys><RelyingParty>
        """
    }

    // Rows 11 and 12, and claims that do not leave a page.
    private static let flow = [
        Case(
            "SignUp", "\"displayName\" />", "\"groups\" />", "flow",
            "\"groups\" is the output claim of the relying party's"),
        Case("SignUp", "\"displayName\" />", "\"groups\" DefaultValue=\"x\" />"),
        Case(
            "SignIn", "<InputClaim ClaimTypeReferenceId=\"email\" Required",
            "<InputClaim ClaimTypeReferenceId=\"pin\" Required", "flow",
            "\"pin\" is the input claim of technical profile \"Service\" in step \"3\""),
        Case(
            "SignIn", "<InputClaim ClaimTypeReferenceId=\"email\" Required=\"true\"",
            "<InputClaim ClaimTypeReferenceId=\"pin\""),
        Case(
            "SignUp", "\"displayName\" />", "\"isMember\" />", "output", "\"isMember\" of the validation profile",
            at: "<ValidationTechnicalProfile R", of: "Base"),
    ]

    // Row 17.
    private static let transformations = [
        Case(
            "SignIn", "</TechnicalProfiles>",
            "<TechnicalProfile Id=\"Totp\"><Protocol Name=\"Proprietary\" Handler=\"Web.AzureMfaProtocolProvider, Web\" /><Metadata>§<Item Key=\"Operation\">VerifyOTP</Item></Metadata></TechnicalProfile></TechnicalProfiles>",
            "unsupported", "the operation VerifyOTP"),
        Case("Base", "\"AddItemToStringCollection\"", "\"addItemToStringCollection\""),
        Case(
            "Base", "\"AddItemToStringCollection\"", "\"AddItemsToStringCollection\"", "transformation",
            "Unknown TransformationMethod"),
        Case(
            "Base", "\"item\"", "\"itm\"", "transformation",
            "Declared but not expected: [string]itm. Expected but not declared: [string]item",
            at: "      <ClaimsTransformation Id"),
        Case(
            "Base", "\"groups\" TransformationClaimType=\"collection\"",
            "\"email\" TransformationClaimType=\"collection\"", "transformation", "[string]collection",
            at: "      <ClaimsTransformation Id"),
        Case(
            "SignIn", "<InputParameter Id=\"operator\" DataType=\"string\" Value=\"EQUAL\" />", "", "transformation",
            "InputParameters mismatched", at: "      <ClaimsTransformation Id"),
        Case(
            "SignIn", "<InputParameter Id=\"operator\" DataType=\"string\"",
            "<InputParameter Id=\"operator\" DataType=\"boolean\"", "parameter", "is a boolean"),
        Case(
            "SignIn", "<InputParameters>",
            "<InputParameters>§<InputParameter Id=\"x\" DataType=\"string\" Value=\"\" />", "parameter",
            "has no parameter \"x\""),
        Case(
            "SignIn", "<ClaimsTransformations>",
            "<ClaimsTransformations>§<ClaimsTransformation Id=\"x\" TransformationMethod=\"BuildUri\" />",
            "unsupported", "the method BuildUri"),
        Case("Base", "^[^@ ]+@[^@ ]+$", "(?&lt;=a)b", "unsupported", "regular expression “(?<=a)b”"),
        Case(
            "SignIn", "<ClaimType Id=\"pin\"><DataType>string</DataType>",
            "<ClaimType Id=\"pin\"><DataType>string</DataType><Mask Type=\"Regex\" Regex=\"(?&lt;!a)\">*</Mask>",
            "unsupported", "“(?<!a)”"),
        Case(
            "SignIn", "<ClaimType Id=\"pin\"><DataType>string</DataType>",
            "<ClaimType Id=\"pin\"><DataType>string</DataType><Mask Type=\"Simple\" Regex=\"(\">*</Mask>"),
        Case(
            "SignIn", "<ClaimType Id=\"pin\"><DataType>string</DataType>",
            "<ClaimType Id=\"pin\"><DataType>duration</DataType>", "unsupported", "the type duration"),
        Case("SignIn", "<Predicates>", "<Predicates>\(predicate("a+"))"),
        Case("SignIn", "<Predicates>", "<Predicates>§\(predicate("(?&lt;=a)"))", "unsupported", "“(?<=a)”"),
        hash,
        format("{0:D2}@{RelyingPartyTenantId}{TechnicalProfileId}"), format("{0,9}", fails: true),
        format("{1}", fails: true),
        Case(
            "SignIn", "<ClaimsTransformations>",
            "<ClaimsTransformations>"
                + transformation("SetClaimsIfRegexMatch", "claimToMatch", "matchTo", "(?&lt;=a)", "outputClaim"),
            "unsupported", "“(?<=a)”"),
    ]

    // The line of the method, and its difference from the service.
    private static let hash = Case(
        "SignIn", "<ClaimsTransformations>",
        """
        <ClaimsTransformations><ClaimsTransformation Id="X" TransformationMethod="Hash"><InputClaims><InputClaim \
        ClaimTypeReferenceId="email" TransformationClaimType="plaintext"/><InputClaim ClaimTypeReferenceId="email" \
        TransformationClaimType="salt"/></InputClaims><InputParameters><InputParameter Id="randomizerSecret" \
        DataType="string" Value="B2C_1A_X"/></InputParameters><OutputClaims><OutputClaim ClaimTypeReferenceId="email" \
        TransformationClaimType="hash"/></OutputClaims></ClaimsTransformation>
        """, "difference", "another value than the service")

    private static func predicate(_ pattern: String) -> String {
        """
        <Predicate Id="P" Method="MatchesRegex"><Parameters><Parameter Id="RegularExpression">\(pattern)</Parameter>\
        </Parameters></Predicate>
        """
    }

    private static func format(_ format: String, fails: Bool = false) -> PlantedMistake {
        let text = transformation("FormatStringClaim", "inputClaim", "stringFormat", format, "outputClaim")
        return Case(
            "SignIn", "<ClaimsTransformations>", "<ClaimsTransformations>\(text)", fails ? "parameter" : "",
            fails ? "“\(format)”" : "")
    }

    private static func transformation(
        _ method: String, _ input: String, _ parameter: String, _ value: String, _ output: String
    ) -> String {
        """
        <ClaimsTransformation Id="X" TransformationMethod="\(method)"><InputClaims><InputClaim \
        ClaimTypeReferenceId="email" TransformationClaimType="\(input)"/></InputClaims><InputParameters>\
        <InputParameter Id="\(parameter)" DataType="string" Value="\(value)"/></InputParameters><OutputClaims>\
        <OutputClaim ClaimTypeReferenceId="email" TransformationClaimType="\(output)"/></OutputClaims>\
        </ClaimsTransformation>
        """
    }
}
