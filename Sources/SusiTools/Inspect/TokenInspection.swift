package import Susi

/// The content of a token, with the results of the checks.
package struct TokenInspection: Sendable {
    package let token: DecodedToken
    package let signature: SignatureCheck
    /// The policy in the token (`tfp`, else `acr`), if the application has one of that name.
    package let policy: PolicyName?
    package let findings: [Finding]

    /// Whether it is signed by an authority of the application and valid now. The audience is not checked.
    package var isValid: Bool {
        guard case .valid = signature else { return false }
        return isTimely
    }

    /// Whether its times allow its use now.
    package var isTimely: Bool { !findings.contains { $0.isFatal } }

    package enum SignatureCheck: Hashable, Sendable {
        /// It was made with a key that this authority publishes.
        case valid(authority: String)
        /// It is invalid, or its algorithm is not accepted.
        case wrong(reason: String)
        case unchecked(Unchecked)
    }

    /// Why a signature was not checked.
    package enum Unchecked: Hashable, Sendable {
        /// The caller did not request it.
        case offline
        /// The token has no readable signature.
        case notReadable
        /// No authority of the application issues such tokens.
        case unknownIssuer(String)
        /// Only the API itself can check it, according to the header, as with Microsoft Graph's tokens.
        case onlyTheAPI
        /// The authority's keys could not be fetched.
        case failed(SusiError)
    }

    package enum Finding: Hashable, Sendable {
        /// It expired at that time.
        case ended(Int64)
        /// It is not valid before that time.
        case notYet(Int64)
        /// It has no expiry time.
        case endless
        /// The audience is not this application: an API, or another application.
        case forAudience([String])
        /// The type in the header is not that of an id token, for example `at+jwt` of an access token (RFC 9068 section 2.1).
        case ofType(String)
        /// It identifies no person: B2C writes a placeholder.
        case namesNoPerson
        /// It contains an error of Azure AD B2C or of Microsoft Entra.
        case error(ErrorCode)

        var isFatal: Bool {
            switch self {
            case .ended, .notYet, .endless: true
            case .forAudience, .ofType, .namesNoPerson, .error: false
            }
        }
    }
}

extension TokenInspection {
    static func findings(_ header: JSONNode, _ claims: JSONNode, of application: Application, now: Int64) -> [Finding] {
        var findings: [Finding] = []
        if let type = header["typ"]?.string, SignedToken.isOtherKind(type) { findings.append(.ofType(type)) }
        if let end = claims["exp"]?.lenientInteger {
            if end <= now { findings.append(.ended(end)) }
        } else {
            findings.append(.endless)
        }
        if let start = claims["nbf"]?.lenientInteger,
            start > now.addingReportingOverflow(IDTokenRules.skew).partialValue
        {
            findings.append(.notYet(start))
        }
        let audiences = claims["aud"]?.strings ?? []
        if !audiences.contains(where: { application.kind.isSameClient($0, application.clientID) }) {
            findings.append(.forAudience(audiences))
        }
        if claims["oid"] == nil, !Person.isSubject(claims["sub"]?.string ?? "") { findings.append(.namesNoPerson) }
        return findings
    }
}
