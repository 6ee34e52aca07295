import SusiBase
import SusiPolicies
import SusiTestSupport

@testable import SusiOAuth

extension Signer {
    func keys(_ with: [String: String?] = [:]) throws -> KeySet {
        try KeySet(parsing: Array(Signer.keySet(try jwk(with)).utf8))
    }
}

/// The tenant and the application of the tests.
enum Contoso {
    static let now: Int64 = 1_800_000_000
    static let guid = "775527ff-9a37-4307-8b3d-cc311f58d925"
    static let object = "aaaaaaaa-0000-4000-8000-000000000001"
    static let client = "11111111-1111-1111-1111-111111111111"
    static let origin = "https://contoso.b2clogin.com"
    static let issuer = "\(origin)/\(guid)/v2.0/"

    static func authority(_ policy: String = "B2C_1_susi") throws -> Authority {
        Authority(kind: .b2c, base: try WebAddress("\(origin)/Contoso.onmicrosoft.com"), policy: PolicyName(policy))
    }

    static func metadata(_ changes: [String: String?] = [:]) throws -> ProviderMetadata {
        try ProviderMetadata(parsing: Array(metadataText(changes).utf8), of: try authority())
    }

    /// Returns a configuration; a value is JSON, nil removes the key.
    static func metadataText(_ changes: [String: String?] = [:]) -> String {
        let base = "\(origin)/contoso.onmicrosoft.com/B2C_1_susi"
        return json(
            [
                "issuer": "\"\(issuer)\"", "authorization_endpoint": "\"\(base)/oauth2/v2.0/authorize\"",
                "token_endpoint": "\"\(base)/oauth2/v2.0/token\"",
                "end_session_endpoint": "\"\(base)/oauth2/v2.0/logout\"",
                "jwks_uri": "\"\(base)/discovery/v2.0/keys\"",
            ], changes)
    }

    /// Returns the claims of a valid id token; a value is JSON, nil removes the claim.
    static func claims(_ changes: [String: String?] = [:]) -> String {
        json(
            [
                "iss": "\"\(issuer)\"", "aud": "\"\(client)\"", "exp": "\(now + 3600)", "iat": "\(now)",
                "nbf": "\(now)", "nonce": "\"n1\"", "tfp": "\"B2C_1_susi\"", "oid": "\"\(object)\"",
                "sub": "\"s1\"", "name": "\"Ada\"", "emails": "[\"ada@example.com\",\"a@example.com\"]",
            ], changes)
    }

    static func rules(
        trusting audiences: [String] = [], nonce: String? = "n1", policy: String = "B2C_1_susi", now: Int64 = now,
        serverTime: Int64? = nil,
        maximumAge: Int64? = nil, acr: [String]? = nil, code: String? = nil, previous: JSONNode? = nil,
        announced: String? = nil
    ) throws -> IDTokenRules {
        IDTokenRules(
            authority: try authority(policy),
            metadata: try metadata(["id_token_signing_alg_values_supported": announced]), clientID: client,
            trustedAudiences: audiences, nonce: nonce, now: now, serverTime: serverTime, maximumAge: maximumAge,
            acr: acr, code: code,
            previous: previous)
    }

    /// Returns an object of the members with these changes; nil removes a member.
    static func json(_ members: [String: String], _ changes: [String: String?]) -> String {
        var members = members
        for (name, value) in changes { members[name] = value }
        return "{" + members.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ",") + "}"
    }
}
