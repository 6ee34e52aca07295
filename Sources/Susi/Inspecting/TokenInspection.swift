public import SusiOAuth
public import SusiPolicies

/// What a token says, and what of it was checked.
public struct TokenInspection: Sendable {
    /// What can be read.
    public let token: DecodedToken
    /// Whether the issuer signed it.
    public let signature: SignatureCheck
    /// The policy that it names (`tfp`, else `acr`), when the application has one of that name.
    public let policy: PolicyName?
    /// What a person should know of it.
    public let findings: [Finding]

    /// Whether it is signed by an authority of the application and valid now. Whom it is for is not judged.
    public var isValid: Bool {
        guard case .valid = signature else { return false }
        return isTimely
    }

    /// Whether it is not too late and not too early for it, as far as it says.
    public var isTimely: Bool { !findings.contains { $0.isFatal } }

    /// What came of the signature.
    public enum SignatureCheck: Hashable, Sendable {
        /// A key that this authority publishes signed it.
        case valid(authority: String)
        /// It is wrong, or its kind is never taken.
        case wrong(reason: String)
        /// It was not checked.
        case unchecked(Unchecked)
    }

    /// Why a signature was not checked.
    public enum Unchecked: Hashable, Sendable {
        /// Nobody wanted it.
        case offline
        /// There is none that others could check.
        case notReadable
        /// No authority of the application issues such tokens.
        case unknownIssuer(String)
        /// The header says that only the API itself can check it, as Microsoft Graph's tokens do.
        case onlyTheAPI
        /// The authority could not be asked for its keys.
        case failed(SusiError)
    }

    /// What a person should know.
    public enum Finding: Hashable, Sendable {
        /// It ended at that time.
        case ended(Int64)
        /// It is valid only from that time on.
        case notYet(Int64)
        /// It has no end.
        case endless
        /// It is for that audience, not for this application: an API's, or somebody else's.
        case forAudience([String])
        /// Its header says that it is another kind of token than an id token, for instance an access token of the type
        /// `at+jwt` (RFC 9068 section 2.1).
        case ofType(String)
        /// It names nobody: B2C writes a constant text where it has nothing to say.
        case namesNobody
        /// It holds an error of Azure AD B2C or of Microsoft Entra.
        case error(ErrorCode)

        var isFatal: Bool {
            switch self {
            case .ended, .notYet, .endless: true
            case .forAudience, .ofType, .namesNobody, .error: false
            }
        }
    }
}

extension TokenInspection {
    /// What header and claims say by themselves at a time.
    static func findings(_ header: JSONNode, _ claims: JSONNode, clientID: String, now: Int64) -> [Finding] {
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
        if !audiences.contains(clientID) { findings.append(.forAudience(audiences)) }
        if claims["oid"] == nil, !Person.isSubject(claims["sub"]?.string ?? "") { findings.append(.namesNobody) }
        return findings
    }
}
