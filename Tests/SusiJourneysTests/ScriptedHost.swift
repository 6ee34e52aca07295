import Foundation
import SusiBase

@testable import SusiJourneys

/// A host without pages: a directory in memory, services from a table, and a person that a script plays.
struct ScriptedHost {
    let policy: EffectivePolicy
    var facts = RequestFacts(tenant: "contoso.onmicrosoft.com", now: 1_700_000_000) { bytes in
        bytes.reduce(into: [UInt8](repeating: 7, count: 8)) { $0 = $0.dropFirst() + [$0[0] &* 31 &+ $1] }
    }
    /// By object ID, attributes in lower case.
    var users: [String: [String: JSONNode]] = [:]
    var session = SessionEntries()
    var provider: [String: JSONNode]? = ["id": "42", "name": "Sam"]
    /// Who has every social identity that no user has.
    var identityOwner: String?
    var hint = TokenAnswer.refused(code: "AADB2C90273", text: "no hint")
    /// By the end of the address; without one, an empty response.
    var services: [String: RESTAnswer] = [:]
    private(set) var outbox: [CodeCall] = []
    private(set) var calls: [RESTCall] = []
    private(set) var writes: [DirectoryCall] = []
    /// How long the person takes for a page.
    var secondsPerPage = 0.0
    private(set) var pages: [PageModel] = []
    private(set) var trace: [TraceLine] = []
    /// What was stored while a page was open.
    private(set) var stored = ""

    typealias Person = (PageModel, ScriptedHost) -> PageAnswer?

    init(_ policy: EffectivePolicy) {
        self.policy = policy
        facts.policyKeys = ["b2c_1a_key": "key-secret"]
        facts.tenantObjectID = "tenant-id"
        facts.correlationID = "correlation"
        facts.ipAddress = "::1"
    }

    var lastCode: String { outbox.last?.code ?? "" }

    /// Runs a journey until it ends, or the person leaves a page.
    mutating func run(_ start: Journey.Start = .authorize, _ person: Person) throws -> Outcome? {
        var journey = try Journey(start, in: policy)
        var answer: Answer?
        for _ in 0..<400 {
            let need = try journey.next(answer, in: policy, facts)
            trace = journey.trace
            switch need {
            case .page(let page):
                let data = try JSONEncoder().encode(journey)
                stored = String(decoding: data, as: UTF8.self)
                journey = try JSONDecoder().decode(Journey.self, from: data)
                pages.append(page)
                facts.now += secondsPerPage
                guard let next = person(page, self) else { return nil }
                answer = .page(next)
            case .directory(let call): answer = .directory(directory(call))
            case .http(let call):
                calls.append(call)
                answer = .http(services.first { call.url.hasSuffix($0.key) }?.value ?? .response(status: 200, body: []))
            case .password(let name, let password): answer = .password(check(name, password))
            case .provider: answer = .provider(provider.map { .claims($0) } ?? .cancelled)
            case .code(let call):
                outbox.append(call)
                answer = .code
            case .token: answer = .token(hint)
            case .session: answer = .session(session)
            case .done(let outcome):
                if case .token(let issued) = outcome { session = issued.session }
                return outcome
            }
        }
        return nil
    }

    private func find(_ key: String, _ value: JSONNode) -> String? {
        let name = key.lowercased()
        if name == "objectid" { return value.string.flatMap { users[$0] == nil ? nil : $0 } }
        if let owner = identityOwner, name.contains("identit") || name.contains("securityid") { return owner }
        return users.first { user in
            user.value.contains {
                ($0.key == name || name == "signinnames" && $0.key.hasPrefix(name)) && $0.value == value
            }
        }?.key
    }

    private mutating func directory(_ call: DirectoryCall) -> DirectoryAnswer {
        if call.operation != .read { writes.append(call) }
        guard let id = find(call.key, call.value) else {
            guard call.operation == .write, !call.raisesIfMissing else { return .missing }
            let new = "user-\(users.count + 1)"
            users[new] = ["objectid": .string(new), call.key.lowercased(): call.value]
            change(new, call.attributes)
            return .user(users[new] ?? [:], isNew: true)
        }
        if call.operation == .write, call.raisesIfExists { return .exists }
        change(id, call.attributes)
        defer { if call.operation == .deleteUser { users[id] = nil } }
        return .user(users[id] ?? [:], isNew: false)
    }

    private mutating func change(_ id: String, _ attributes: [String: JSONNode]) {
        for (name, value) in attributes { users[id]?[name.lowercased()] = value.value == .null ? nil : value }
    }

    private func check(_ name: String, _ password: String) -> PasswordAnswer {
        let id = find("signInNames", .string(name)) ?? find("userPrincipalName", .string(name))
        guard let id, let user = users[id] else { return .refused(.unknownUser) }
        guard user["accountenabled"]?.bool != false else { return .refused(.disabled) }
        guard user["password"] == .string(password) else { return .refused(.wrongPassword) }
        return .accepted([
            "oid": .string(id), "tid": "tenant-id", "name": user["displayname"] ?? "",
            "upn": "\(id)@contoso.onmicrosoft.com".json,
            "given_name": user["givenname"] ?? "", "family_name": user["surname"] ?? "",
        ])
    }
}

extension String { var json: JSONNode { .string(self) } }

extension RESTAnswer {
    static func json(_ status: Int, _ text: String) -> RESTAnswer { .response(status: status, body: Array(text.utf8)) }
}

extension Outcome {
    var claims: [String: JSONNode]? { if case .token(let issued) = self { issued.claims } else { nil } }
    /// The code, and for a policy error its reason.
    var failure: String? {
        switch self {
        case .token, .userInfo: nil
        case .error(let code, _): code
        case .policyError(let error): error.reason
        }
    }
}
