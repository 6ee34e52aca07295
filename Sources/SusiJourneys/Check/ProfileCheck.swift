import SusiBase

/// Checks the metadata and claims of technical profiles that something runs.
struct ProfileCheck: PolicyCheck {
    private let policy: EffectivePolicy
    private(set) var problems = ProblemList()

    init(_ policy: EffectivePolicy) { self.policy = policy }

    mutating func check() {
        for profile in policy.all(.profile).map(Profile.init) {
            checkLifetimes(of: profile)
            if let item = profile.item("client_id"), item.text.trimmed.isEmpty {
                problems.add(.wrongMetadata("client_id", "", profile.id), at: item)
            }
        }
        // A profile may be completed by a policy that derives from this one.
        guard policy.file.isRelyingParty, let journey = policy.journey else { return }
        let pages = Set(policy.allSteps(of: journey).filter(\.isSelection).flatMap(\.profiles).map { $0.lowercased() })
        for profile in policy.allSteps(of: journey).flatMap(\.exchanges).compactMap({
            policy.profile($0["TechnicalProfileReferenceId"])
        }) where profile.element.child("UseTechnicalProfileForSessionManagement") == nil {
            problems.add(.noSession(profile.id), at: profile.element)
        }
        for profile in policy.reached(by: journey) {
            checkMetadata(of: profile, isPage: pages.contains(profile.id.lowercased()))
            checkResolvers(of: profile)
            if profile.isDirectory { checkDirectory(profile) }
            if profile.isSelfAsserted { checkSources(of: profile) }
        }
    }

    private static let required = [
        "SelfAssertedAttributeProvider": ["ContentDefinitionReferenceId"],
        "AzureActiveDirectoryProvider": ["Operation"],
        "RestfulProvider": ["ServiceUrl", "AuthenticationType"], "OneTimePasswordProtocolProvider": ["Operation"],
        "PhoneFactorProtocolProvider": ["ContentDefinitionReferenceId"],
    ]

    // A step with a selection names its page itself.
    private mutating func checkMetadata(of profile: Profile, isPage: Bool) {
        for key in Self.required[profile.handler] ?? [] where profile.item(key) == nil && !isPage {
            problems.add(.noMetadata(key, profile.id, ""), at: profile.element)
        }
        guard profile.handler == "RestfulProvider" else { return }
        if let item = profile.item("ServiceUrl"), let mistake = RESTRequest.mistake(in: item.text.trimmed) {
            problems.add(.wrongMetadata("ServiceUrl", item.text.trimmed, profile.id, "it \(mistake)"), at: item)
        }
        guard profile.metadata("AuthenticationType") == "None" else { return }
        let isDevelopment = policy.file.root["DeploymentMode"].map { $0 != "Production" } ?? false
        guard !isDevelopment, !profile.isTrue("AllowInsecureAuthInProduction") else { return }
        problems.add(.insecure(profile.id), at: profile.element)
    }

    private static let lifetimes = [
        "token_lifetime_secs": 300...86_400, "id_token_lifetime_secs": 300...86_400,
        "refresh_token_lifetime_secs": 86_400...7_776_000, "rolling_refresh_token_lifetime_secs": 86_400...31_536_000,
    ]

    private mutating func checkLifetimes(of profile: Profile) {
        for item in profile.items {
            guard let key = item["Key"], let range = Self.lifetimes[key], !item.text.contains("{") else { continue }
            guard Int(item.text.trimmed).map({ !range.contains($0) }) ?? true else { continue }
            let hint = "from \(range.lowerBound) to \(range.upperBound)"
            problems.add(.wrongMetadata(key, item.text.trimmed, profile.id, hint), at: item)
        }
    }

    private mutating func checkDirectory(_ profile: Profile) {
        let claims = profile.inputClaims + profile.outputClaims + profile.persistedClaims
        if let claim = claims.first(where: { Self.attribute($0).hasPrefix("extension_") }) {
            for key in ["ClientId", "ApplicationObjectId"] where profile.item(key) == nil {
                let why =
                    "\(claim["PartnerClaimType"] ?? claim["ClaimTypeReferenceId"] ?? "") is an extension attribute"
                problems.add(.noMetadata(key, profile.id, why), at: profile.element)
            }
        }
        let unknown = profile.outputClaims.filter { claim in
            claim["AlwaysUseDefaultValue"] != "true" && claim["DefaultValue"] == nil
                && !DirectoryAttributes.isKnown(Self.attribute(claim))
        }
        if let first = unknown.first {
            problems.add(
                .unsupportedAttributes(unknown.compactMap { $0["ClaimTypeReferenceId"] }, profile.id), at: first)
        }
        let password = profile.persistedClaims.first { Self.attribute($0) == "password" }
        guard let password, let type = policy[.claimType, password.claim],
            type.child("PredicateValidationReference") != nil || type.child("InputValidationReference") != nil,
            !profile.persistedClaims.contains(where: { $0["DefaultValue"]?.contains("DisableStrongPassword") ?? false })
        else { return }
        problems.add(.strongPassword(profile.id), at: password)
    }

    private static func attribute(_ claim: Element) -> String {
        (claim["PartnerClaimType"] ?? claim["ClaimTypeReferenceId"] ?? "").lowercased()
    }

    private mutating func checkSources(of profile: Profile) {
        guard profile.validations.allSatisfy({ policy.profile($0["ReferenceId"]) != nil }) else { return }
        let shown = profile.element.all("DisplayClaims", "DisplayClaim").compactMap(\.claim)
        let others = policy.others(of: profile).union(shown)
        for claim in profile.outputClaims where claim["Required"] == "true" {
            guard policy[.claimType, claim.claim]?.text(of: "UserInputType") == "Paragraph" else { continue }
            problems.add(.requiredParagraph(claim["ClaimTypeReferenceId"] ?? ""), at: claim)
        }
        for claim in profile.outputClaims where claim["DefaultValue"] == nil {
            guard let id = claim.claim, !others.contains(id), let type = policy[.claimType, id],
                type.child("UserInputType") == nil
            else { continue }
            problems.add(.noSource(claim["ClaimTypeReferenceId"] ?? id, profile.id), at: claim)
        }
    }

    private mutating func checkResolvers(of profile: Profile) {
        guard !profile.resolvesClaims else { return }
        for claim in profile.inputClaims + profile.persistedClaims + profile.outputClaims {
            guard let value = claim["DefaultValue"], let resolver = ClaimResolver.first(in: value) else { continue }
            problems.add(.literalResolver(resolver), at: claim)
        }
    }
}

/// The attributes of a user that a directory profile reads.
enum DirectoryAttributes {
    static func isKnown(_ name: String) -> Bool {
        name.hasPrefix("extension_") || name.hasPrefix("signinnames") || names.contains(name)
    }

    private static let names: Set<String> = [
        "objectid", "userprincipalname", "displayname", "givenname", "surname", "mail", "othermails", "mailnickname",
        "accountenabled", "alternativesecurityid", "alternativesecurityids", "useridentities", "identities", "city",
        "country", "department", "companyname", "employeeid", "facsimiletelephonenumber", "jobtitle", "mobile",
        "mobilephone", "physicaldeliveryofficename", "postalcode", "preferredlanguage", "state", "streetaddress",
        "telephonenumber", "usagelocation", "usertype", "creationtype", "createddatetime", "passwordpolicies",
        "strongauthenticationphonenumber", "strongauthenticationalternativephonenumber",
        "strongauthenticationemailaddress", "strongauthenticationappdetails", "refreshtokensvalidfromdatetime",
        "newclaimsprincipalcreated", "agegroup", "legalagegroupclassification", "consentprovidedforminor",
        "dateofbirth",
        "termsofuseconsentdatetime", "termsofuseconsentchoice", "termsofuseconsentversion", "termsofuseconsentrequired",
        "forcechangepasswordnextlogin", "forcechangepasswordnextsignin", "netid", "cloudextensionattribute1",
        "immutableid", "onpremisesimmutableid", "lastpasswordchangedatetime", "signinactivity", "proxyaddresses",
        "devicekeys", "legalcountry", "hasconsentedtotermsofuse", "title", "officelocation",
    ]
}
