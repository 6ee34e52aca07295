import SystemPackage

@testable import Susi
@testable import SusiBase
@testable import SusiOAuth
@testable import SusiPolicies
@testable import SusiStore
@testable import SusiTools

/// Errors of accounts, sign-ins, imports and keys.
extension ErrorCatalog {
    mutating func addAccounts(_ application: Application) throws {
        section("Accounts and profiles")
        let policy = try application.choosePolicy(nil)
        add(SusiError.nothingToExport)
        add(SusiError.noRealm(of: "ana@contoso.example"))
        for match in ImportPlan(try Self.cache(of: application), for: [application]).matches {
            let other = Person(
                tenant: Tenant(origin: application.authority.origin, id: "b0b0b0b0-0000-4000-8000-000000000003"),
                subject: "b0b0b0b0-0000-4000-8000-000000000002")
            add(SusiError.fileNamesOther(match, than: other).tellingOfSentToken)
        }
        add(SusiError.severalPeople)
        add(SusiError.profileOfOther("ana@contoso.example", next: .signIn(policy.name)))
        add(SusiError.noUserInfo(policy, isB2C: true))
        add(SusiError.noUserInfo(policy, isB2C: false))
        add(SusiError.noProfile(at: try WebAddress("https://login.example/userinfo"), status: 403, policy))
        add(SusiError.savedAccountUnreadable)
        add(SusiError.displayName("Chi Nwosu", policy))
    }

    /// Errors of a sign-in that serves several tenants.
    mutating func addTenants() throws {
        section("Other tenants")
        let text = """
            { "applications": { "work": {
                "kind": "entra", "authority": "https://login.microsoftonline.com/common", "clientId": "c",
                "redirectPorts": [0], "knownAuthorities": ["login.microsoftonline.com"] } } }
            """
        guard let work = try PoliciesFile(text: text.utf8, source: "policies.json").application(nil) else { return }
        let (policy, ana) = (try work.choosePolicy(nil), "ana@contoso.example")
        let there = try work.at(try TenantName("fabrikam.onmicrosoft.com"))
        if case .refused(let refusal) = there.knownAuthorities.decision(for: there.authority(for: policy)) {
            add(SusiError(refusal, application: there, policy: policy.name))
            add(SusiError.tenantNotNamed(refusal, policy, ana, work))
        }
        add(SusiError(NoOtherTenants(application: "local", kind: .b2c)))
        add(SusiError.inOtherTenant(ana, "fabrikam.onmicrosoft.com", place: ""))
        for (error, code) in [
            ("invalid_grant", "AADSTS50020"), ("invalid_grant", "AADSTS65001"), ("interaction_required", "AADSTS50076"),
        ] {
            let refusal = ServerRefusal(error: error, description: "\(code): not accepted")
            add(SusiError.refusedByTenant(refusal, policy, ana, there))
        }
    }

    // A cache of ADAL with one entry.
    private static func cache(of application: Application) throws -> CacheFile {
        let text = """
            [{"_authority": "\(application.authority)/\(try application.choosePolicy(nil).name)", "isMRRT": true,
              "_clientId": "\(application.clientID)", "userId": "ana@contoso.example", "resource": "https://api.example",
              "oid": "a0a0a0a0-0000-4000-8000-000000000001", "accessToken": "x", "refreshToken": "secret",
              "expiresOn": "2020-01-01 10:00:00"}]
            """
        return try CacheFile(parsing: Array(text.utf8))
    }

    mutating func addSignIns(_ application: Application) throws {
        section("Sign-in")
        let policy = try application.choosePolicy(nil)
        let edit = try application.choosePolicy(nil, of: .editProfile)
        let byPassword = PolicyRun(.resourceOwner, policy.name, userName: "ana")
        let person = PersonReference(text: "ana@contoso.example", userName: nil)
        add(SusiError.noSignInPage(edit))
        add(SusiError.noDeviceCode("Azure AD B2C does not support it", policy))
        add(SusiError.declinedElsewhere)
        add(SusiError.codeNotEntered(policy))
        add(SusiError.noPasswordAccepted(policy, others: []))
        add(SusiError.noPasswordAccepted(policy, others: ["B2C_1_ropc"]))
        let refusal = ServerRefusal(
            error: "access_denied", description: "AADB2C90225: The username or password is invalid.")
        add(SusiError.passwordRefused(refusal, why: "wrong user name or password", next: .run(byPassword)))
        add(SusiError.pagesNotFilled("the page did not accept the answers"))
        for provider in [nil, "google.com"] {
            add(
                SusiError.otherPerson(
                    "ben@contoso.example", expected: "ana@contoso.example",
                    next: .run(PolicyRun(.signUpOrSignIn, policy.name, account: "ana@contoso.example")),
                    of: provider))
        }
        let subject = "a0a0a0a0-0000-4000-8000-000000000001"
        add(SusiError.nameNotSent("ana@contoso.example", by: "Ana Lima", subject, policy, of: .b2c))
        add(SusiError.nameNotSent("anau", by: nil, subject, policy, of: .openid))
        add(SusiError.notRenewed(policy, after: edit, .noWindow))
        add(
            SusiError.notRenewed(
                policy, after: Policy(name: PolicyName("B2C_1_reset"), kind: .passwordReset),
                SusiError.noSignInPage(edit)))
        add(SusiError.noWindow)
        add(SusiError.profileSavedOfOther("ben@contoso.example", expected: "ana@contoso.example", person))
    }

    mutating func addNative() throws {
        section("Native authentication")
        let text = """
            {"applications": {"customers": {
              "kind": "external", "authority": "https://contoso.ciamlogin.com", "clientId": "client"
            }}}
            """
        let file = try PoliciesFile(text: text.utf8, source: "policies.json")
        guard let application = file.application(nil) else { return }
        let policy = try application.choosePolicy(nil)
        let name = "ana@contoso.example"
        for (error, number, suberror) in [
            ("invalid_grant", 50_126, nil), ("invalid_grant", 50_181, "invalid_oob_value"),
            ("user_not_found", 1_003_034, nil), ("expired_token", 552_003, nil), ("invalid_grant", 50_053, nil),
            ("invalid_client", 7_000_218, "nativeauthapi_disabled"), ("unsupported_challenge_type", 901_007, nil),
            ("invalid_grant", 50_079, "registration_required"),
        ] as [(String, Int, String?)] {
            let member = suberror.map { #","suberror":"\#($0)""# } ?? ""
            let body = #"{"error":"\#(error)","error_description":"AADSTS\#(number): What the server says."\#(member)}"#
            guard let refusal = ServerRefusal(response: try JSONNode(parsing: body.utf8)) else { continue }
            let elsewhere = SusiError(refusal, application: application, policy: policy.name)
            add(SusiError.native(refusal, elsewhere, policy, username: name))
        }
        add(SusiError.browserNeeded("", policy))
        add(SusiError.browserNeeded("What the server says.", policy))
        add(SusiError.passwordMissing(policy, username: name))
        add(SusiError.codeMissing(policy, username: name))
        add(SusiError.noNativeAuthentication(policy))
        add(SusiError.codeCommandFailed("it exited with an error"))
        add(SusiError.codeCommandFailed("its first line is not a code of 1 to 64 letters and digits"))
    }

    mutating func addImports() throws {
        section("Caches of other libraries")
        let caches: [CacheFileError] = [
            .empty, .tooLarge(bytes: 64 << 20), .tooManyEntries(10_000), .encrypted(.dpapi), .encrypted(.binary),
            .encrypted(.unknown), .notJSON(line: 3, problem: "expected a value"), .unknownShape, .otherFormat(.adal),
        ]
        for error in caches {
            // A new case needs an example above.
            switch error {
            case .empty, .tooLarge, .tooManyEntries, .encrypted, .notJSON, .unknownShape, .otherFormat:
                add(SusiError(error, file: "cache.json"))
            }
        }
        section("Encrypted exports")
        let exports: [ExportFileError] = [
            .notOurs, .otherVersion, .tooLarge, .wrongPassphrase, .altered,
            .content("it is not a list of refresh tokens"),
        ]
        for error in exports {
            switch error {
            case .notOurs, .otherVersion, .tooLarge, .wrongPassphrase, .altered, .content:
                add(SusiError(error, file: "accounts.susi"))
            }
        }
    }

    mutating func addKeys() throws {
        section("Key of the store")
        let folder = Self.folder
        let id = KeyID(bytes: Array(repeating: 0x0f, count: KeyID.count))
        let record = KeyRecord(.secretService, id, lifetime: 0)
        add(SusiError.wrongPassphrase)
        add(SusiError.shortPassphrase)
        add(SusiError.noPassphrase)
        let owner = OwnedFile.Flaw("~/passphrase", .owner(1_001))
        add(SusiError(owner, otherwise: "copy it to a file of your own"))
        add(SusiError(owner, otherwise: "fix keyCommand in your own policies.json"))
        add(SusiError(OwnedFile.Flaw("key.sh", .relative), otherwise: "fix keyCommand in your own policies.json"))
        add(SusiError.noKeyCommand)
        add(SusiError.keyCommandChanged)
        add(SusiError.keyCommandFailed("pass", "exited with an error"))
        add(SusiError.keyNotInService(record))
        add(SusiError.keyServiceFailed(.secretService, "secret-tool cannot be started"))
        add(SusiError.keyServiceFailed(.keychain, "security did not finish within 3 s"))
        for source in [KeySource.secretService, .keychain] {
            add(SusiError.noNewKey(source, SusiError.keyServiceFailed(source, "it did not store the key")))
        }
        add(SusiError.noNewKey(.command, SusiError.noKeyCommand))
        add(SusiError.unsupported(.keychain))
        add(SusiError.keyringUnavailable(Errno.noFunction))
        add(SusiError.cannotStayUnlocked(.noFunction))
        add(SusiError.noStoreKey(folder))
        add(SusiError.testStoreFailed)
        add(SusiError.keyringLostKey)
        add(SusiError.lockFailed("~/susi/locks/0f.lock", "permission denied"))
        addKeyFiles(folder)
    }

    private mutating func addKeyFiles(_ folder: StoreFolder) {
        let facts: [StoreError.Fact] = [
            .keyMissing, .keyDamaged(isEmpty: false), .keyDamaged(isEmpty: true), .otherKey, .noKey,
        ]
        let locked = KeySource.allCases.filter { $0 != .file }.map(StoreError.Fact.locked)
        for fact in facts + locked { add(SusiError(StoreError(fact, folder.key))) }
    }
}
