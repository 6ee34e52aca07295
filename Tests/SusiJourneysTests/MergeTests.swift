import Testing

@testable import SusiJourneys

@Suite struct MergeTests {
    /// Merges two elements without the namespace, and returns the result in short: names, attributes' values, texts.
    private static func merged(_ base: String, _ change: String) throws -> String {
        try short(Merge.merge(element(base), element(change)))
    }

    private static func element(_ text: String) throws -> Element {
        let wrapped = "<TrustFrameworkPolicy xmlns='\(Element.namespace)'>\(text)</TrustFrameworkPolicy>"
        return try #require(try Element.parse(Array(wrapped.utf8), file: 0)?.children.first)
    }

    private static func short(_ element: Element) -> String {
        let values = element.attributes.map(\.value).joined(separator: ",")
        let children = element.children.map(short).joined(separator: " ")
        return "\(element.name)(\(values))" + (children.isEmpty ? element.text : "[\(children)]")
    }

    @Test(arguments: [
        (
            "<ClaimType Id='a'><DataType>x</DataType></ClaimType>",
            "<ClaimType Id='a'><Mask/><DataType>y</DataType></ClaimType>",
            "ClaimType(a)[DataType()y Mask()]"
        ),
        (
            "<Restriction><Enumeration Text='1'/></Restriction>", "<Restriction><Enumeration Text='2'/></Restriction>",
            "Restriction()[Enumeration(2)]"
        ),
        (
            "<Restriction><Enumeration Text='1'/></Restriction>",
            "<Restriction MergeBehavior='Append'><Enumeration Text='2'/></Restriction>",
            "Restriction(Append)[Enumeration(1) Enumeration(2)]"
        ),
        (
            "<Restriction><Enumeration Text='1'/></Restriction>",
            "<Restriction MergeBehavior='Prepend'><Enumeration Text='2'/></Restriction>",
            "Restriction(Prepend)[Enumeration(2) Enumeration(1)]"
        ),
        (
            "<ClaimsTransformation Id='a' TransformationMethod='M'><InputClaims/></ClaimsTransformation>",
            "<ClaimsTransformation Id='a' TransformationMethod='N'/>", "ClaimsTransformation(a,N)"
        ),
        (
            "<Metadata><Item Key='a'>1</Item><Item Key='b'>2</Item></Metadata>",
            "<Metadata><Item Key='c'>3</Item><Item Key='A'>4</Item></Metadata>",
            "Metadata()[Item(A)4 Item(b)2 Item(c)3]"
        ),
        (
            "<OutputClaims><OutputClaim ClaimTypeReferenceId='a'/></OutputClaims>",
            "<OutputClaims><OutputClaim ClaimTypeReferenceId='A' PartnerClaimType='p'/></OutputClaims>",
            "OutputClaims()[OutputClaim(A,p)]"
        ),
        (
            "<OutputClaims><OutputClaim ClaimTypeReferenceId='a' PartnerClaimType='p'/><OutputClaim ClaimTypeReferenceId='a' PartnerClaimType='q'/></OutputClaims>",
            "<OutputClaims><OutputClaim ClaimTypeReferenceId='a' PartnerClaimType='q' Required='true'/></OutputClaims>",
            "OutputClaims()[OutputClaim(a,p) OutputClaim(a,q,true)]"
        ),
        (
            "<OrchestrationSteps><OrchestrationStep Order='1' Type='T'><ClaimsExchanges><ClaimsExchange Id='a'/></ClaimsExchanges></OrchestrationStep></OrchestrationSteps>",
            "<OrchestrationSteps><OrchestrationStep Order='1' Type='U'><ClaimsExchanges><ClaimsExchange Id='b'/></ClaimsExchanges></OrchestrationStep></OrchestrationSteps>",
            "OrchestrationSteps()[OrchestrationStep(1,U)[ClaimsExchanges()[ClaimsExchange(a) ClaimsExchange(b)]]]"
        ),
        (
            "<OrchestrationStep Order='1'><Preconditions><Precondition Type='a'/></Preconditions></OrchestrationStep>",
            "<OrchestrationStep Order='1'><Preconditions><Precondition Type='b'/></Preconditions></OrchestrationStep>",
            "OrchestrationStep(1)[Preconditions()[Precondition(b)]]"
        ),
        (
            "<LocalizedResourcesReferences><LocalizedResourcesReference Language='en'/></LocalizedResourcesReferences>",
            "<LocalizedResourcesReferences MergeBehavior='Prepend'><LocalizedResourcesReference Language='de'/></LocalizedResourcesReferences>",
            "LocalizedResourcesReferences(Prepend)[LocalizedResourcesReference(de) LocalizedResourcesReference(en)]"
        ),
        (
            "<LocalizedResourcesReferences><LocalizedResourcesReference Language='en'/></LocalizedResourcesReferences>",
            "<LocalizedResourcesReferences><LocalizedResourcesReference Language='de'/></LocalizedResourcesReferences>",
            "LocalizedResourcesReferences()[LocalizedResourcesReference(de)]"
        ),
        (
            "<Actions><Action Id='a'><X/></Action></Actions>",
            "<Actions><Action Id='a'><Y/></Action><Action Id='b'/></Actions>",
            "Actions()[Action(a)[Y()] Action(b)]"
        ),
        (
            "<UserJourneyBehaviors><SingleSignOn Scope='a'/><OnError Mode='b'/></UserJourneyBehaviors>",
            "<UserJourneyBehaviors><SingleSignOn Scope='c'/></UserJourneyBehaviors>",
            "UserJourneyBehaviors()[SingleSignOn(c) OnError(b)]"
        ),
    ])
    func mergesByKindOfElement(base: String, change: String, expected: String) throws {
        #expect(try Self.merged(base, change) == expected)
    }

    @Test func includesOtherProfilesBelowTheirOwnContent() throws {
        let text = try PolicyFixture.text("Base")
        let root = try #require(try Element.parse(Array(text.utf8), file: 0))
        let policy = EffectivePolicy(PolicyFile(number: 0, path: "", text: SourceText([]), root: root), over: nil)
        let profile = try #require(policy.profile("directory-write"))
        #expect(profile.isDirectory)
        #expect(profile.id == "Directory-Write")
        #expect(profile.metadata("operation") == "Write")
        #expect(profile.element.text(of: "IncludeInSso") == "false")
    }
}
