import FoundationEssentials
import SusiBase
import SusiPolicies

/// `/signup/v1.0/…`: a new account. A code verifies the address; a password and attributes follow unless the first request
/// contained them.
enum NativeSignUp {
    /// The name of a person who gave none, as in captured tokens.
    private static let unknownName = "unknown"

    static func start(_ request: NativeRequest) throws -> JSON {
        let types = try request.challengeTypes()
        let name = try request.required("username")
        guard isEmailAddress(name) else { throw NativeError.invalid("The username is not an email address.") }
        guard types.contains(.oob), request.endpoint.offersPasswords else { return NativeRequest.redirect }
        guard try !exists(name, request) else { throw NativeError.userExists }
        var continuation = Continuation(.signUp, request, userName: name, types: types)
        if let password = request.form["password"] { continuation.password = try checked(password) }
        if request.form["attributes"] != nil { try readAttributes(request, into: &continuation) }
        return try request.begin(continuation)
    }

    static func challenge(_ request: NativeRequest) throws -> JSON {
        let steps: Set<Continuation.Step> = [.started, .codeSent, .credentialRequired, .passwordAsked]
        var continuation = try request.continuation(to: .signUp, after: steps, or: "invalid_grant")
        let types = try request.challengeTypes(of: continuation)
        guard [.started, .codeSent].contains(continuation.step) else {
            guard types.contains(.password) else { return NativeRequest.redirect }
            continuation.step = .passwordAsked
            return try request.advance(continuation, ["challenge_type": "password"])
        }
        guard types.contains(.oob) else { return NativeRequest.redirect }
        let interval: [String: JSON] = ["interval": .integer(SentCode.lifetime)]
        return try request.sendCode(continuation, to: continuation.userName, for: .verifyEmail, interval)
    }

    static func continueFlow(_ request: NativeRequest) throws -> JSON {
        let grant = try request.required("grant_type")
        let after = { (step: Continuation.Step) in
            try request.continuation(to: .signUp, after: [step])
        }
        var continuation: Continuation
        switch grant {
        case "oob":
            continuation = try after(.codeSent)
            try request.checkCode()
        case "password":
            continuation = try after(.passwordAsked)
            continuation.password = try checked(try request.required("password"))
        case "attributes":
            continuation = try after(.attributesRequired)
            try readAttributes(request, into: &continuation)
        default: throw NativeError.grant(grant)
        }
        return try proceed(continuation, request)
    }

    // Asks for what is missing, else creates the account.
    private static func proceed(_ reached: Continuation, _ request: NativeRequest) throws -> JSON {
        var continuation = reached
        if continuation.password == nil, continuation.types.contains(.password) {
            continuation.step = .credentialRequired
            throw NativeError.credentialRequired(try request.nextToken(continuation))
        }
        let missing = attributes(request).filter { $0.isRequired && continuation.attributes[$0.name] == nil }
        guard missing.isEmpty else {
            continuation.step = .attributesRequired
            throw NativeError.attributesRequired(missing.map(\.name), try request.nextToken(continuation))
        }
        let name = continuation.userName
        var user = User(
            objectID: UUID().uuidString.lowercased(), email: name, displayName: Self.unknownName,
            givenName: "", surname: "")
        let configuration = request.endpoint.tenant.configuration
        for (name, value) in continuation.attributes {
            user[attribute: name] = configuration.attributeType(name).value(value)
        }
        // Without a password, the address is a separate identity.
        if continuation.password == nil { user.identityProvider = User.mailProvider }
        guard try !exists(name, request), try request.database.add(user, password: continuation.password) else {
            throw NativeError.userExists
        }
        continuation.objectID = user.objectID
        continuation.step = .done
        return try request.advance(continuation)
    }

    private static func exists(_ name: String, _ request: NativeRequest) throws -> Bool {
        try [nil, User.mailProvider].contains { try request.database.user(email: name, of: $0) != nil }
    }

    private static func checked(_ password: String) throws -> PasswordHash {
        if let error = NativeError.password(password) { throw error }
        return try PasswordHash(password)
    }

    // The attributes of the policy, by default the names, which are optional.
    private static func attributes(_ request: NativeRequest) -> [PolicySettings.Attribute] {
        let names = ["displayName", "givenName", "surname"].map { PolicySettings.Attribute($0) }
        return (request.endpoint.settings.attributes ?? names).filter { $0.name != "email" }
    }

    // Other attributes are ignored, as the service does.
    private static func readAttributes(_ request: NativeRequest, into continuation: inout Continuation) throws {
        let text = try request.required("attributes")
        guard case .object(let members)? = try? JSON(parsing: text.utf8) else {
            throw NativeError.invalid("The attributes parameter is not a JSON object.")
        }
        var wrong: [String] = []
        for attribute in attributes(request) {
            guard let member = members[attribute.name] else { continue }
            let value = member.attributeText?.trimmed ?? ""
            let type = request.endpoint.tenant.configuration.attributeType(attribute.name)
            if ProfileFields.problem(attribute, type, value) != nil { wrong.append(attribute.name) }
            continuation.attributes[attribute.name] = value.isEmpty ? nil : value
        }
        guard wrong.isEmpty else { throw NativeError.attributes(wrong) }
    }
}
