import Testing

@testable import SusiJourneys

@Suite struct ClaimTypeTests {
    private static func type(_ content: String, _ blocks: String = "") throws -> (EffectivePolicy, ClaimType) {
        let policy = try ClaimFixture.policy(
            "<ClaimsSchema><ClaimType Id=\"c\">\(content)</ClaimType></ClaimsSchema>\(blocks)")
        return (policy, try #require(policy.claimType("C")))
    }

    @Test(arguments: [
        ("<Mask Type='Simple'>XXX-XXX-</Mask>", "425555123456", "XXX-XXX-3456"),
        ("<Mask Type='Simple'>XXXX</Mask>", "12", "XXXX"),
        ("<Mask Type='Regex' Regex='[^@]+@'>***@</Mask>", "joe@contoso.com", "***@contoso.com"),
        ("<Mask Type='Regex' Regex='(.)[^@]*@'>$1**@$9$</Mask>", "joe@contoso.com", "j**@$9$contoso.com"),
        ("<Mask Type='Regex' Regex='(?&lt;=.).'>*</Mask>", "joe", "***"), ("", "joe", "joe"),
    ])
    func hidesAPartOfAValue(mask: String, value: String, shown: String) throws {
        #expect(try Self.type(mask).1.masked(value) == shown)
    }

    @Test func namesClaimsAsTheProtocolDoes() throws {
        let names = """
            <DefaultPartnerClaimTypes><Protocol Name="OpenIdConnect" PartnerClaimType="family_name"/>
            <Protocol Name="Proprietary" PartnerClaimType="x"/><Protocol Name="None" PartnerClaimType="x"/></DefaultPartnerClaimTypes>
            """
        let policy = try Self.type(names).0
        func name(_ attributes: String, _ protocol: String) throws -> String {
            let list = try ClaimFixture.policy("<ClaimsSchema><ClaimType Id='p' \(attributes)/></ClaimsSchema>")
            return policy.partnerName(of: try #require(list[.claimType, "p"]), in: `protocol`)
        }
        #expect(try name("ClaimTypeReferenceId='C'", "OpenIdConnect") == "family_name")
        #expect(try name("ClaimTypeReferenceId='C'", "OAuth2") == "c")
        #expect(try name("ClaimTypeReferenceId='C'", "Proprietary") == "c")
        #expect(try name("ClaimTypeReferenceId='C'", "None") == "c")
        #expect(try name("ClaimTypeReferenceId='C' PartnerClaimType='sn'", "OpenIdConnect") == "sn")
    }

    private static let choices = """
        <UserInputType>§</UserInputType><Restriction><Enumeration Text="Red" Value="r" SelectByDefault="true"/>
        <Enumeration Text="Blue" Value="b"/></Restriction>
        """
    private static let pattern = "<Restriction><Pattern RegularExpression='^a+$' HelpText='Only a.'/></Restriction>"

    @Test(
        arguments: [
            (choices, "r", []), (choices, "Red", [RestrictionFailure.choice]), (choices, "r,b", [.choice]),
            (choices.replacing("§", with: "CheckboxMultiSelect"), "r,b", []),
            (choices.replacing("§", with: "CheckboxMultiSelect"), "r,x", [.choice]), (pattern, "aa", []),
            (pattern, "b", [.pattern(help: "Only a.")]),
            (pattern, String(repeating: "a", count: 1_024), []),
            (pattern, String(repeating: "a", count: 1_025), [.pattern(help: "Only a.")]),
            // Does not compile here, and is named at the start.
            ("<Restriction><Pattern RegularExpression='(?&lt;=a)b'/></Restriction>", "c", []),
        ] as [(String, String, [RestrictionFailure])])
    func restrictsValues(content: String, value: String, failures: [RestrictionFailure]) throws {
        let (policy, type) = try Self.type(content)
        #expect(policy.failures(of: value, for: type, ClaimFixture.facts()) == failures)
    }

    private static let predicates = """
        <Predicates>\
        <Predicate Id="Length" Method="IsLengthRange" HelpText="4 to 6"><Parameters>\
        <Parameter Id="Minimum">4</Parameter><Parameter Id="Maximum">6</Parameter></Parameters></Predicate>\
        <Predicate Id="Lower" Method="IncludesCharacters" HelpText="a letter"><Parameters>\
        <Parameter Id="CharacterSet">a-z</Parameter></Parameters></Predicate>\
        <Predicate Id="Digit" Method="MatchesRegex" HelpText="a digit"><Parameters>\
        <Parameter Id="RegularExpression">[0-9]</Parameter></Parameters></Predicate>\
        <Predicate Id="Past" Method="IsDateRange" HelpText="past"><Parameters>\
        <Parameter Id="Minimum">1970-01-01</Parameter><Parameter Id="Maximum">Today</Parameter></Parameters></Predicate>\
        </Predicates>
        """

    private static func group(_ id: String, _ references: [String], _ attributes: String = "") -> String {
        """
        <PredicateGroup Id="\(id)"><UserHelpText>Needs</UserHelpText><PredicateReferences \(attributes)>
        \(references.map { "<PredicateReference Id=\"\($0)\"/>" }.joined())</PredicateReferences></PredicateGroup>
        """
    }

    private static func failed(_ group: String, _ predicates: (String, String)...) -> RestrictionFailure {
        .group(id: group, heading: "Needs", predicates: predicates.map { FailedPredicate(id: $0.0, help: $0.1) })
    }

    private static let password = group("L", ["Length"]) + group("C", ["Lower", "Digit"], "MatchAtLeast='1'")

    @Test(
        arguments: [
            (password, "abcd", []), (password, "1234", []), (password, "abc", [failed("L", ("Length", "4 to 6"))]),
            (password, "abcdefg", [failed("L", ("Length", "4 to 6"))]),
            (password, "\u{1f600}\u{1f600}A", [failed("C", ("Lower", "a letter"), ("Digit", "a digit"))]),
            (group("A", ["Lower", "Digit"]), "abc", [failed("A", ("Digit", "a digit"))]),
            (group("D", ["Past"]), "1970-01-01", []), (group("D", ["Past"]), "2022-01-01", []),
            (group("D", ["Past"]), "2022-01-02", [failed("D", ("Past", "past"))]),
            (group("D", ["Past"]), "1969-12-31", [failed("D", ("Past", "past"))]),
            (group("D", ["Past"]), "soon", [failed("D", ("Past", "past"))]),
        ] as [(String, String, [RestrictionFailure])])
    func holdsValuesAgainstPredicates(groups: String, value: String, failures: [RestrictionFailure]) throws {
        let validation = """
            \(Self.predicates)<PredicateValidations><PredicateValidation Id="V"><PredicateGroups>\(groups)</PredicateGroups>\
            </PredicateValidation></PredicateValidations>
            """
        let (policy, type) = try Self.type("<PredicateValidationReference Id=\"V\"/>", validation)
        #expect(policy.failures(of: value, for: type, ClaimFixture.facts()) == failures)
    }

    @Test func readsTheOlderInputValidation() throws {
        let validation = """
            \(Self.predicates)<InputValidations><InputValidation Id="V"><PredicateReferences Id="G" HelpText="Needs">
            <PredicateReference Id="Lower"/></PredicateReferences></InputValidation></InputValidations>
            """
        let (policy, type) = try Self.type("<InputValidationReference Id=\"V\"/>", validation)
        #expect(policy.failures(of: "1", for: type, ClaimFixture.facts()) == [Self.failed("G", ("Lower", "a letter"))])
        #expect(policy.failures(of: "a", for: type, ClaimFixture.facts()).isEmpty)
    }

    // The set of symbols of the documentation (predicates), and others.
    @Test(arguments: [
        (#"@#$%^&*\-_+=[]{}|\\:',?/`~"();!."#, "[]-\\_`.", "aZ0 <>"), ("a-c", "abc", "-d"), ("-a", "-a", "b"),
        ("a-", "-a", "b"), (#"\d-"#, "09-", "a"), (#"A-\d"#, "A-5", "B"), (#"\w\s"#, "aZ_ \t", "-"),
        ("c-a", "ca-", "b"), (#"\"#, "\\", "a"),
    ])
    func readsSetsOfCharacters(set: String, with: String, without: String) {
        let characters = CharacterSet(set)
        #expect(with.unicodeScalars.allSatisfy(characters.contains))
        #expect(!without.unicodeScalars.contains(where: characters.contains))
    }

    // Patterns of .NET, one of them from the starter pack; nothing where they do not compile here.
    @Test(arguments: [
        (#"^([A-Za-z\d@#$%^&*\-_+=[\]{}|\\:',?/`~"();!]|\.(?!@)){8,16}$"#, "Pass[word]1", "Pass word1"),
        ("^[]a]+$", "a]", "b"), ("^[^]a]+$", "b", "]"), ("^[a-z-[aeiou]]+$", "xyz", "xya"),
        ("^[a&&b~~]+$", "a&~b", "c"),
        (#"^(?<x>.)\1$"#, "aa", "ab"), ("(?i)^ab$", "AB", "b"), (#"^\[[0-9]\]$"#, "[1]", "1"), ("b", "abc", "ac"),
        ("^.$", "e", "e\u{301}"),
    ])
    func compilesPatternsOfDotNet(pattern: String, match: String, other: String) throws {
        let compiled = try #require(Pattern(pattern))
        #expect(compiled.matches(match))
        #expect(!compiled.matches(other))
    }

    @Test(arguments: ["(?<=a)b", "(?<!a)b", "(", "[a", "a**"])
    func refusesOtherPatterns(pattern: String) { #expect(Pattern(pattern) == nil) }

    private static func transformation(_ method: String, _ input: String, _ output: String) -> String {
        """
        <ClaimsTransformations><ClaimsTransformation Id="T" TransformationMethod="\(method)"><InputClaims>\(input)
        </InputClaims><OutputClaims>\(output)</OutputClaims></ClaimsTransformation></ClaimsTransformations>
        """
    }

    @Test(arguments: [("abcd", ClaimValue.string("abcd")), ("abc", nil)] as [(String, ClaimValue?)])
    func copiesAClaimThatMeetsThePredicates(value: String, expected: ClaimValue?) throws {
        let policy = try ClaimFixture.policy(
            """
            <ClaimsSchema><ClaimType Id="i"/><ClaimType Id="o"><PredicateValidationReference Id="V"/></ClaimType>
            </ClaimsSchema>\(Self.predicates)<PredicateValidations><PredicateValidation Id="V"><PredicateGroups>
            \(Self.password)</PredicateGroups></PredicateValidation></PredicateValidations>
            """
                + Self.transformation(
                    "CopyClaimIfPredicateMatch",
                    "<InputClaim ClaimTypeReferenceId=\"i\" TransformationClaimType=\"inputClaim\"/>",
                    "<OutputClaim ClaimTypeReferenceId=\"o\" TransformationClaimType=\"outputClaim\"/>"))
        var bag = ClaimsBag()
        bag["i"] = .string(value)
        try policy.transform("T", &bag, ClaimFixture.facts())
        #expect(bag["o"] == expected)
    }

    private static let localized = """
        <ContentDefinitions><ContentDefinition Id="page"><LocalizedResourcesReferences>
        <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="en"/>
        <LocalizedResourcesReference Language="de" LocalizedResourcesReferenceId="de"/></LocalizedResourcesReferences>
        </ContentDefinition><ContentDefinition Id="other"><LocalizedResourcesReferences>
        <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="o"/></LocalizedResourcesReferences>
        </ContentDefinition></ContentDefinitions><Localization>
        <LocalizedResources Id="en"><LocalizedStrings>
        <LocalizedString ElementType="GetLocalizedStringsTransformationClaimType" StringId="subject">Code</LocalizedString>
        </LocalizedStrings></LocalizedResources><LocalizedResources Id="de"><LocalizedCollections>
        <LocalizedCollection ElementType="ClaimType" ElementId="o" TargetCollection="Restriction">
        <Item Text="M" Value="Zu jung"/></LocalizedCollection></LocalizedCollections></LocalizedResources>
        <LocalizedResources Id="o"><LocalizedStrings>
        <LocalizedString ElementType="GetLocalizedStringsTransformationClaimType" StringId="subject">Other</LocalizedString>
        </LocalizedStrings></LocalizedResources></Localization>
        """

    @Test(
        arguments: [
            ("en", "page", "subject", "Code"), ("de-AT", "page", "subject", "Code"),
            ("en", "other", "SUBJECT", "Other"),
            ("en", nil, "subject", "Code"), ("en", "page", "body", nil),
        ] as [(String, String?, String, String?)])
    func readsLocalizedTexts(language: String, page: String?, id: String, text: String?) throws {
        let output = "<OutputClaim ClaimTypeReferenceId=\"o\" TransformationClaimType=\"\(id)\"/>"
        let policy = try ClaimFixture.policy(
            "<ClaimsSchema><ClaimType Id=\"o\"/></ClaimsSchema>"
                + Self.transformation("GetLocalizedStringsTransformation", "", output) + Self.localized)
        var (bag, facts) = (ClaimsBag(), ClaimFixture.facts())
        facts.language = language
        try policy.transform("T", &bag, facts, page: page)
        #expect(bag["o"] == text.map(ClaimValue.string))
    }

    // The example of the documentation, and the same in German.
    @Test(
        arguments: [
            ("en", "B2C_V1_90001", "You cant sign in because you are a minor"), ("de-AT", "M", "Zu jung"),
            ("en", "M", nil),
            ("de", "B2C_V1_90001", nil),
        ] as [(String, String, String?)])
    func mapsTextsOfChoicesToTheirValues(language: String, text: String, value: String?) throws {
        let policy = try ClaimFixture.policy(
            """
            <ClaimsSchema><ClaimType Id="i"/><ClaimType Id="o"><Restriction><Enumeration Text="B2C_V1_90001" \
            Value="You cant sign in because you are a minor"/></Restriction></ClaimType></ClaimsSchema>
            """
                + Self.transformation(
                    "GetMappedValueFromLocalizedCollection",
                    "<InputClaim ClaimTypeReferenceId=\"i\" TransformationClaimType=\"mapFromClaim\"/>",
                    "<OutputClaim ClaimTypeReferenceId=\"o\" TransformationClaimType=\"restrictionValueClaim\"/>")
                + Self.localized)
        var (bag, facts) = (ClaimsBag(), ClaimFixture.facts())
        facts.language = language
        (bag["i"], bag["o"]) = (.string(text), "before")
        try policy.transform("T", &bag, facts)
        #expect(bag["o"] == value.map(ClaimValue.string))
    }

    // A text that is no number, and one that is: a copy needs equal types.
    @Test(arguments: [("ConvertNumberToStringClaim", "many", "o"), ("CopyClaim", "5", "outputClaim")])
    func saysWhichClaimCannotHoldAResult(method: String, value: String, claim: String) throws {
        let policy = try ClaimFixture.policy(
            """
            <ClaimsSchema><ClaimType Id="i"/><ClaimType Id="O"><DataType>int</DataType></ClaimType></ClaimsSchema>
            """
                + Self.transformation(
                    method, "<InputClaim ClaimTypeReferenceId=\"i\" TransformationClaimType=\"inputClaim\"/>",
                    "<OutputClaim ClaimTypeReferenceId=\"O\" TransformationClaimType=\"outputClaim\"/>"))
        var bag = ClaimsBag()
        bag["i"] = .string(value)
        let reason = TransformationError.Reason.conversion(
            claim: claim, ClaimConversionError(found: "a string", type: .int))
        #expect(throws: TransformationError(transformation: "T", reason: reason)) {
            try policy.transform("t", &bag, ClaimFixture.facts())
        }
        #expect(throws: TransformationError(transformation: "x", reason: .unknown)) {
            try policy.transform("x", &bag, ClaimFixture.facts())
        }
    }
}
