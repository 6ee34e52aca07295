import FoundationEssentials
import SusiBase
import SusiJourneys
import SusiPolicies
import SusiSQLite

/// Performs what technical profiles of the directory ask for (active-directory-technical-profile, spec §7.1).
struct JourneyDirectory {
    let tenant: Tenant

    init(_ endpoint: PolicyEndpoint) { tenant = endpoint.tenant }

    private var database: Database { tenant.database }

    private static let identityNames: Set<String> = [
        "alternativesecurityid", "alternativesecurityids", "useridentities", "identities",
    ]

    func perform(_ call: DirectoryCall) throws -> DirectoryAnswer {
        let found = try find(call.key, call.value)
        switch call.operation {
        case .read: return try found.map(answer) ?? .missing
        case .write:
            guard let found else { return call.raisesIfMissing ? .missing : try create(call) }
            return call.raisesIfExists ? .exists : try change(found, call)
        case .deleteClaims: return try found.map { try change($0, call) } ?? .missing
        case .deleteUser:
            guard let found else { return .missing }
            let attributes = try attributes(of: found)
            _ = try database.removeUser(objectID: found.objectID)
            _ = try database.revokeGrants(of: found.objectID)
            return .user(attributes, isNew: false)
        }
    }

    /// The user with a key: an attribute that identifies users, and its value.
    func find(_ key: String, _ value: JSONNode) throws -> User? {
        let name = key.lowercased()
        if Self.identityNames.contains(name) {
            for identity in UserIdentity.all(in: value) {
                if let user = try database.user(of: identity) { return user }
            }
            return nil
        }
        guard let text = value.string, !text.isEmpty else { return nil }
        switch name {
        case "objectid": return try database.user(objectID: text.lowercased())
        case "signinnames.emailaddress": return try database.user(signInName: text, .email)
        case "signinnames.username": return try database.user(signInName: text, .userName)
        case "signinnames":
            return try database.user(signInName: text, .either)
                ?? database.user(attribute: "signInNames.", isPrefix: true, text)
        case "userprincipalname":
            let id = text.lowercased().split(separator: "@").first.map(String.init) ?? ""
            let byID = text.lowercased().hasSuffix("@\(tenant.configuration.name.lowercased())")
            return try database.user(attribute: key, text) ?? (byID ? database.user(objectID: id) : nil)
        default: return try database.user(attribute: key, text)
        }
    }

    private func answer(_ user: User) throws -> DirectoryAnswer { .user(try attributes(of: user), isNew: false) }

    private func attributes(of user: User) throws -> [String: JSONNode] {
        var attributes = user.attributes.mapValues { JSONNode($0) }
        for known in DirectoryAttribute.known { attributes[known.name] = known.read(user) }
        attributes["objectId"] = .string(user.objectID)
        let name = user[directory: "userPrincipalName"]
        attributes["userPrincipalName"] = name ?? .string(principalName(of: user.objectID))
        let identities = try database.identities(of: user.objectID)
        if let first = identities.first {
            let list = JSONNode.array(identities.map(\.json))
            attributes["alternativeSecurityId"] = .string(JSONText.compact(first.json))
            for name in ["alternativeSecurityIds", "userIdentities", "identities"] { attributes[name] = list }
        }
        return attributes
    }

    private func principalName(of objectID: String) -> String { "\(objectID)@\(tenant.configuration.name)" }

    /// The claims of a password check (spec §7.3).
    func tokenClaims(of user: User) throws -> [String: JSONNode] {
        let attributes = try attributes(of: user)
        var claims: [String: JSONNode] = ["oid": .string(user.objectID), "tid": .string(tenant.configuration.id)]
        let names = [
            ("name", "displayName"), ("given_name", "givenName"), ("family_name", "surname"),
            ("upn", "userPrincipalName"),
        ]
        for (claim, attribute) in names { claims[claim] = attributes[attribute] }
        return claims
    }
}

// Writing.
extension JourneyDirectory {
    private func create(_ call: DirectoryCall) throws -> DirectoryAnswer {
        // The service makes the object ID.
        guard call.key.lowercased() != "objectid" else { return .missing }
        var user = User(objectID: randomGUID())
        if call.key.lowercased() == "signinnames", let name = call.value.string {
            user[directory: name.contains("@") ? "signInNames.emailAddress" : "signInNames.userName"] = call.value
        } else if !Self.identityNames.contains(call.key.lowercased()) {
            user[directory: call.key] = call.value
        }
        let identities = take(call, into: &user) ?? []
        guard !user.displayName.isEmpty else {
            return .refused("displayName is required and has no value: persist it where the user is created.")
        }
        if let problem = problem(of: call) { return .refused(problem) }
        // A user of a provider has no password here; a local one without a password has one that no person knows.
        if let first = identities.first, call.password == nil, !call.namesSignIn {
            user.identityProvider = first.issuer
        }
        if user.email == nil, user.userName == nil { user.userName = principalName(of: user.objectID) }
        let hash = user.identityProvider == nil ? try call.password.map { try PasswordHash($0) } ?? .unmatchable : nil
        guard try database.add(user, password: hash) else { return .exists }
        guard try database.set(identities, of: user.objectID) else {
            _ = try database.removeUser(objectID: user.objectID)
            return .exists
        }
        return .user(try attributes(of: user), isNew: true)
    }

    private func change(_ found: User, _ call: DirectoryCall) throws -> DirectoryAnswer {
        if let problem = problem(of: call) { return .refused(problem) }
        var changed = found
        let identities = take(call, into: &changed)
        guard !changed.displayName.isEmpty || found.displayName.isEmpty else {
            return .refused("displayName must not become empty.")
        }
        if let identities, try !database.set(identities, of: found.objectID) { return .exists }
        let hash = try call.password.map { try PasswordHash($0) }
        let user = try database.change(found.objectID, password: hash) { user in
            _ = take(call, into: &user)
            if user.email == nil, user.userName == nil { user.userName = principalName(of: user.objectID) }
        }
        guard let user else { return try database.user(objectID: found.objectID) == nil ? .missing : .exists }
        return try answer(user)
    }

    // Returns the identities that the call writes; nil if it writes none.
    private func take(_ call: DirectoryCall, into user: inout User) -> [UserIdentity]? {
        var identities: [UserIdentity]?
        for (name, value) in call.attributes.sorted(by: { $0.key < $1.key }) {
            let isRemoved = value.value == .null
            switch name.lowercased() {
            case "objectid", "password", "passwordpolicies": continue
            case let other where Self.identityNames.contains(other):
                identities = (identities ?? []) + (isRemoved ? [] : UserIdentity.all(in: value))
            default: user[directory: name] = isRemoved ? nil : value
            }
        }
        return identities
    }

    private func problem(of call: DirectoryCall) -> String? {
        guard let password = call.password, !call.allowsWeakPassword else { return nil }
        return passwordProblem(password).map { Words.english[$0] }
    }
}

extension DirectoryCall {
    fileprivate var password: String? {
        attributes.first { $0.key.lowercased() == "password" }?.value.string
    }

    // Whether it is about a sign-in name of a local account.
    fileprivate var namesSignIn: Bool {
        ([key] + attributes.keys).contains { $0.lowercased().hasPrefix("signinnames") }
    }
}

extension Database {
    /// The first user with that value of an attribute, ignoring case; with `isPrefix` of one whose name begins so.
    fileprivate func user(attribute name: String, isPrefix: Bool = false, _ value: String) throws -> User? {
        try users(
            where: """
                EXISTS (SELECT 1 FROM json_each(record, '$.attributes') WHERE lower(value) = lower(?2)
                    AND (lower(key) = lower(?3) OR ?4 AND substr(lower(key), 1, length(?3)) = lower(?3))) LIMIT 1
                """, [.text(value), .text(name), .integer(isPrefix ? 1 : 0)]
        ).first
    }
}
