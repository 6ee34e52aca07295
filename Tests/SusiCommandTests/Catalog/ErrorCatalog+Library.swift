import Foundation

@testable import Susi
@testable import SusiHTTP
@testable import SusiOAuth
@testable import SusiPolicies
@testable import SusiTools

/// Errors of servers and of their responses.
extension ErrorCatalog {
    private mutating func add(_ error: any Error, _ application: Application) {
        add(SusiError(error, application: application, policy: PolicyName("B2C_1_susi")))
    }

    mutating func addNetwork(_ application: Application) {
        section("Network")
        let kinds: [NetworkFailure.Kind] = [
            .refused, .unknownHost, .timeout, .tls(.expired(1_800_000_000)), .tls(.notYetValid(1_900_000_000)),
            .tls(.otherHost), .tls(.unknownAuthority), .tls(.unusableRoots), .tls(.handshake),
            .proxy("http://proxy.example:3128"), .tooLarge(limit: 1_048_576), .cancelled, .broken,
        ]
        for kind in kinds {
            // A new kind needs an example above.
            switch kind {
            case .refused, .unknownHost, .timeout, .proxy, .tooLarge, .cancelled, .broken: break
            case .tls(let reason):
                switch reason {
                case .expired, .notYetValid, .otherHost, .unknownAuthority, .unusableRoots, .handshake: break
                }
            }
            add(
                NetworkFailure(kind: kind, origin: "https://login.example", detail: "the connection was closed"),
                application)
        }
        add(NetworkFailure(kind: .refused, origin: application.authority.origin, detail: ""), application)
        add(
            NetworkFailure(
                kind: .tls(.unknownAuthority), origin: "https://login.example", detail: "",
                proxy: "http://proxy.example:3128"), application)
        add(CancellationError(), application)
        add(DeadlineExceeded(), application)
        add(ProviderReport.ClockSkew(seconds: 3_600), application)
        add(ProviderReport.ClockSkew(seconds: -3_600), application)
        add(RedirectListener.NoFreePort(ports: [8400, 8401]), application)
        add(RedirectListener.MissingAddress(host: .ipv6), application)
        add(SusiError.otherListener(status: 200))
        add(SusiError.unexpected(DeadlineExceeded()))
        add(SusiError(plain: POSIXError(.ENOSPC)))
        if let address = try? Endpoint("https://login.example/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token") {
            for status in [302, 401, 404, 429, 500] {
                add(UnexpectedResponse(address: address, status: status), application)
            }
            let refusal = ServerRefusal(error: "temporarily_unavailable", description: "try later")
            add(UnexpectedResponse(address: address, status: 503, retryAfter: 90, refusal: refusal), application)
        }
    }

    mutating func addAuthorities() throws {
        section("Authorities")
        let text = PoliciesFile.builtInText
        let files = [
            text.replacing("http://localhost:8480/contoso", with: "http://login.example/contoso"),
            text.replacing("\"clientId\"", with: "\"knownAuthorities\": [\"https://localhost:8480\"], \"clientId\""),
            text.replacing("\"clientId\"", with: "\"knownAuthorities\": [\"other.example\"], \"clientId\""),
        ]
        for file in files {
            do {
                let read = try PoliciesFile(text: file.utf8, source: "policies.json")
                guard let application = read.application(nil) else { continue }
                let authority = application.authority(for: try application.choosePolicy(nil))
                if case .refused(let refusal) = application.knownAuthorities.decision(for: authority) {
                    add(refusal, application)
                }
            } catch { add(error) }
        }
        for address in [
            "", "ftp://login.example/contoso", "https://login.example/a?b", "https://user@login.example/a",
            "https://login example/", "https:///contoso", "https://login.example/%2e%2e/a",
        ] {
            do { _ = try WebAddress(address) } catch { addLine(error.description) }
        }
    }

    /// Adds a text that is part of other errors.
    private mutating func addLine(_ line: String) { add([line], 5) }

    mutating func addProtocol(_ application: Application) throws {
        section("Responses that break a rule")
        let subjects: [(ProtocolViolation.Subject, String, String)] = [
            (.metadata, "no token_endpoint", "OpenID Discovery 3"), (.keys, "not JSON with keys", "RFC 7517 5"),
            (.redirect, "neither a code nor an error", "RFC 6749 4.1.2"),
            (.tokenResponse, "token_type is not Bearer", "RFC 6749 7.1"),
            (.noTokenResponse, "a page, not JSON", "RFC 6749 5.1"),
            (.tokenRefusal, "status 403 without an OAuth error", "RFC 6749 5.2"),
            (.nativeResponse, "no continuation_token", "Native authentication API reference"),
            (.idToken, "the nonce does not match the request", "OpenID Connect Core 3.1.3.7 (11)"),
            (.demand, "the last sign-in was 2 h ago; at most 5 min was requested", "OpenID Connect Core 3.1.3.7 (13)"),
            (.person, "sub does not match the sign-in", "OpenID Connect Core 12.2"),
            (.clientInfo, "not base64url JSON with uid and utid", "MSAL, client_info"),
            (.claimsChallenge, "not a JSON object", "OpenID Connect Core 5.5"),
            (.stepUpChallenge, "max_age is not a number of seconds", "RFC 9470 section 3"),
        ]
        for (subject, reason, source) in subjects {
            // A new subject needs an example above.
            switch subject {
            case .metadata, .keys, .redirect, .tokenResponse, .noTokenResponse, .tokenRefusal, .nativeResponse,
                .idToken,
                .demand, .person, .clientInfo, .claimsChallenge, .stepUpChallenge:
                add(ProtocolViolation(subject, reason, source: source), application)
            }
        }
        for suspect in [ProtocolViolation.Suspect.clock, .personClaims, .audience] {
            add(ProtocolViolation(.idToken, "what is wrong", source: "the rule", suspect: suspect), application)
        }
        let text = #"{"applications": {"o": {"kind": "openid", "authority": "https://id.example", "clientId": "c"}}}"#
        for openID in try PoliciesFile(text: text.utf8, source: "policies.json").applications {
            add(ProtocolViolation(.idToken, "what is wrong", source: "the rule", suspect: .personClaims), openID)
        }
        add(AddressOpenedTwice(), application)
        add(SusiError.signOutOpenedTwice)
    }

    mutating func addRefusals(_ application: Application) throws {
        section("Refusals of a server")
        for consequence in Consequence.allCases {
            guard let row = ErrorCode.table.first(where: { $0.consequence == consequence }) else { continue }
            let refusal = ServerRefusal(
                error: "access_denied",
                description:
                    "\(row.name): What the server says.\nCorrelation ID: 0f0f0f0f-1\nTimestamp: 2027-01-15 08:00:00Z")
            add(refusal, application)
        }
        let inner = "An invalid response was received : 'Error: user_cancelled_login,Error Description: x'."
        for description in ["U123456: What the policy says", "AADB2C90273: \(inner)"] {
            add(ServerRefusal(error: "access_denied", description: description), application)
        }
        for (error, description) in [
            ("redirect_uri_mismatch", "No."), ("invalid_request", "client_secret is missing."),
            ("invalid_scope", "Some requested scopes were invalid. {invalid=[offline_access]}"),
        ] {
            add(ServerRefusal(error: error, description: description), application)
        }
        section("Codes of servers")
        for row in ErrorCode.table { add(row) }
    }

    mutating func addChoices(_ application: Application) throws {
        section("Names")
        let choices: [() throws -> Void] = [
            { _ = try application.choosePolicy(PolicyName("B2C_1_suis")) },
            { _ = try application.choosePolicy(PolicyName("B2C_1_reset"), of: .editProfile) },
            { _ = try application.choosePolicy(nil, of: .resourceOwner) }, { _ = try application.chooseAPI("helo") },
        ]
        for choice in choices { do { try choice() } catch { add(error, application) } }
    }

    mutating func addCalls(_ application: Application) throws {
        section("Calls")
        for (api, path) in [
            ("hello", "/a#b"), ("hello", "/a\tb"), ("hello", "/../x"), ("https://evil.example/x", ""), ("ftp://x", ""),
        ] {
            do { _ = try CallRequest(api: api, path: path).resolved(in: application) } catch { add(error) }
        }
        let challenge = try ClaimsChallenge(json: #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#)
        let next = NextStep.run(PolicyRun(.signUpOrSignIn, PolicyName("B2C_1_susi"), api: "hello"))
        add(SusiError.claimsRequired(challenge, by: "hello", next: next))
        add(SusiError.moreClaimsNeeded(next: next))
        add(SusiError.stepUpNeeded([], by: "hello", next: next))
        add(SusiError.stepUpNeeded(["at most 5 min old"], by: "hello", next: next))
        add(SusiError.signInNeeded(try application.choosePolicy(nil), .noAccount))
        add(
            SusiError.signInNeeded(
                try application.choosePolicy(nil), .noAccount,
                elsewhere: [PolicyName("B2C_1_ropc"), PolicyName("B2C_1_partner")]))
        add(SusiError.signInNeeded(try application.choosePolicy(nil), .noRefreshToken))
        add(SusiError.signInNeeded(try application.choosePolicy(nil), .refreshTokenExpired(on: 0)))
        add(SusiError.noIDTokenOfRefresh(try application.choosePolicy(nil)))
        add(SusiError.noTokenOfAPI(ScopeSet(["demo.read"]), "hello", try application.choosePolicy(nil)))
    }
}
