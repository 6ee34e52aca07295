import Foundation
import SusiBase
import Testing

@testable import SusiJourneys

/// Journeys of the policy Flow, made of short steps.
enum JourneyFixture {
    static func policy(
        _ main: [String], refresh: [String] = [send()], userInfo: [String] = [send("UserInfoIssuer")],
        replacing parts: [(String, String)] = []
    ) throws -> EffectivePolicy {
        let authorization =
            "<Authorization><AuthorizationTechnicalProfiles><AuthorizationTechnicalProfile ReferenceId='UserInfoToken' /></AuthorizationTechnicalProfiles></Authorization>"
        let journeys = [
            journey("Main", main), journey("Refresh", refresh), journey("UserInfo", userInfo, authorization),
        ]
        var text = try PolicyFixture.text("Flow").replacing("§journeys", with: journeys.joined())
        for (part, new) in parts {
            #expect(text.contains(part))
            text = text.replacing(part, with: new)
        }
        let source = PolicySource(path: "Flow.xml", content: Array(text.utf8))
        return try #require(EffectivePolicy.relyingParties(of: [source], PolicyOptions()).first)
    }

    static func host(
        _ main: [String], refresh: [String] = [send()], userInfo: [String] = [send("UserInfoIssuer")],
        replacing parts: [(String, String)] = []
    ) throws -> ScriptedHost {
        var host = ScriptedHost(try policy(main, refresh: refresh, userInfo: userInfo, replacing: parts))
        host.users = ana
        return host
    }

    /// Runs a journey without a person.
    static func run(_ main: [String]) throws -> Outcome? {
        var host = try host(main)
        return try host.run { _, _ in nil }
    }

    static func journey(_ id: String, _ steps: [String], _ head: String = "") -> String {
        let numbered = steps.enumerated().map {
            "<OrchestrationStep Order='\($0.offset + 1)' \($0.element)</OrchestrationStep>"
        }
        return
            "<UserJourney Id='\(id)'>\(head)<OrchestrationSteps>\(numbered.joined())</OrchestrationSteps></UserJourney>"
    }

    /// A step with exchanges, each named after its profile; `unless` is a claim, or a claim and a value.
    static func exchange(_ profiles: String..., unless: [String]) -> String { exchange(profiles, unless) }
    static func exchange(_ profiles: String..., unless: String...) -> String { exchange(profiles, unless) }

    private static func exchange(_ profiles: [String], _ unless: [String]) -> String {
        let values = unless.map { "<Value>\($0)</Value>" }.joined()
        let type = unless.count == 2 ? "ClaimEquals" : "ClaimsExist"
        let precondition =
            unless.isEmpty
            ? ""
            : "<Preconditions><Precondition Type='\(type)' ExecuteActionsIf='true'>\(values)<Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions>"
        return "Type='ClaimsExchange'>\(precondition)<ClaimsExchanges>\(exchanges(profiles))</ClaimsExchanges>"
    }

    private static func exchangeID(_ profile: String) -> String { profile.replacing("Page", with: "") + "Exchange" }

    private static func exchanges(_ profiles: [String]) -> String {
        profiles.map {
            "<ClaimsExchange Id='\(exchangeID($0))' TechnicalProfileReferenceId='\($0)' />"
        }
        .joined()
    }

    private static func targets(_ profiles: [String]) -> String {
        profiles.map { "<ClaimsProviderSelection TargetClaimsExchangeId='\(exchangeID($0))' />" }.joined()
    }

    static func combined(_ targets: String...) -> String {
        "Type='CombinedSignInAndSignUp' ContentDefinitionReferenceId='api.signin'><ClaimsProviderSelections>\(self.targets(targets))<ClaimsProviderSelection ValidationClaimsExchangeId='SignInExchange' /></ClaimsProviderSelections><ClaimsExchanges>\(exchanges(["SignInPage"]))</ClaimsExchanges>"
    }

    static func select(_ targets: String..., display: String = "DoNotShowSingleProvider") -> String {
        "Type='ClaimsProviderSelection' ContentDefinitionReferenceId='api.signin'><ClaimsProviderSelections DisplayOption='\(display)'>\(self.targets(targets))</ClaimsProviderSelections>"
    }

    static func sub(_ id: String) -> String {
        "Type='InvokeSubJourney'><JourneyList><Candidate SubJourneyReferenceId='\(id)' /></JourneyList>"
    }

    static func send(_ issuer: String = "Issuer") -> String {
        "Type='SendClaims' CpimIssuerTechnicalProfileReferenceId='\(issuer)'>"
    }

    static let hint = "Type='GetClaims' CpimIssuerTechnicalProfileReferenceId='Hint'>"

    static let signIn = [
        combined("Social"), exchange("Social", "SignUpPage", unless: "objectId"),
        exchange("FindSocial", unless: "authenticationSource", "local"), exchange("CreateSocial", unless: "objectId"),
        exchange("Read"), send(),
    ]

    static let ana: [String: [String: JSONNode]] = [
        "ana": [
            "objectid": "ana", "signinnames.emailaddress": "ana@contoso.example", "password": "Secret-1",
            "displayname": "Ana",
        ]
    ]
}

extension ClaimsBag {
    init(_ values: [String: ClaimValue?]) {
        self.init()
        for (id, value) in values { self[id] = value }
    }
}

extension PageModel {
    var controls: [PageControl] {
        items.compactMap { item in
            if case .control(let control) = item { return control }
            return nil
        }
    }

    func submit(_ fields: [String: String]) -> PageAnswer { PageAnswer(number: number, .submit, fields: fields) }
    func act(_ action: PageAnswer.Action, _ fields: [String: String] = [:]) -> PageAnswer {
        PageAnswer(number: number, action, fields: fields)
    }
}
