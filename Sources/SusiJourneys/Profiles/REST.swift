import SusiBase

/// The request of a REST profile (restful-technical-profile, spec §3.4 and §0 B5, B6).
struct RESTRequest {
    let profile: Profile
    let inputs: Inputs
    let run: JourneyRun

    func call() throws -> RESTCall {
        let form = inputs.list.map { (name: $0.name, value: $0.value.text) }
        var headers = try authentication()
        var (url, body): (String, String?) = (try url(), nil)
        let place = profile.metadata("SendClaimsIn")?.lowercased() ?? "body"
        switch place {
        case "querystring":
            if !form.isEmpty { url += (url.contains("?") ? "&" : "?") + FormEncoding.encode(form) }
        case "header":
            for field in form { try add(field.name, field.value, to: &headers, isKey: false) }
        case "url": break
        case "form":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = FormEncoding.encode(form)
        default:
            headers["Content-Type"] = "application/json"
            body = payload
        }
        return RESTCall(method: body == nil ? "GET" : "POST", url: url, headers: headers, body: body)
    }

    private var payload: String {
        if let claim = profile.metadata("ClaimUsedForRequestPayload") { return run.claims[claim]?.text ?? "" }
        return JSONText.compact(.object(inputs.list.map { JSONNode.Member($0.name, $0.value.json) }))
    }

    // Claims may be in a path or query, never in what decides where the request goes.
    private func url() throws -> String {
        let text = run.policy.resolve(profile.metadata("ServiceUrl") ?? "", ClaimsBag(), run.facts, .names)
        if let mistake = Self.mistake(in: text) { throw Failure.policy("the ServiceUrl \(mistake)", profile) }
        guard profile.metadata("SendClaimsIn")?.lowercased() == "url" else { return text }
        return inputs.list.reduce(text) { $0.replacing("{\($1.name)}", with: Self.segment($1.value.text)) }
    }

    /// What is wrong with an address, whatever the claims in its path are.
    static func mistake(in url: String) -> String? {
        guard let start = ["https://", "http://"].first(where: url.lowercased().hasPrefix) else {
            return "begins with neither https:// nor http://"
        }
        let authority = url.dropFirst(start.count).prefix { !"/?#\\".contains($0) }
        return authority.isEmpty || authority.contains { "@{".contains($0) } ? "has a claim or user in its host" : nil
    }

    // A segment of dots would climb to another path.
    private static func segment(_ text: String) -> String {
        text == "." || text == ".." ? text.replacing(".", with: "%2E") : PercentEncoding.encode(text)
    }

    private func authentication() throws -> [String: String] {
        var headers: [String: String] = [:]
        if let claim = profile.metadata("UseClaimAsBearerToken"), let token = run.claims[claim]?.text {
            try add("Authorization", "Bearer \(token)", to: &headers, isKey: true)
        }
        let keys = profile.element.all("CryptographicKeys", "Key").compactMap { $0["Id"] }
        switch profile.metadata("AuthenticationType")?.lowercased() {
        case "basic":
            let names = ["BasicAuthenticationUsername", "BasicAuthenticationPassword"].map {
                run.key($0, of: profile) ?? ""
            }
            try add(
                "Authorization", "Basic \(Base64.encode(names.joined(separator: ":").utf8))", to: &headers, isKey: true)
        case "bearer":
            guard headers.isEmpty else { break }
            let token = run.key("BearerAuthenticationToken", of: profile) ?? ""
            try add("Authorization", "Bearer \(token)", to: &headers, isKey: true)
        case "apikeyheader":
            for key in keys { try add(key, run.key(key, of: profile) ?? "", to: &headers, isKey: true) }
        default: break
        }
        return headers
    }

    private static let fixed: Set<String> = ["host", "connection", "transfer-encoding", "authorization"]

    private func add(_ name: String, _ value: String, to headers: inout [String: String], isKey: Bool) throws {
        let lower = name.lowercased()
        let isFixed = Self.fixed.contains(lower) && !(isKey && lower == "authorization")
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter), !isFixed, !lower.hasPrefix("content-") else {
            throw Failure.policy("“\(name)” cannot be the name of a header", profile)
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw Failure.policy("the value of the header “\(name)” has a control character", profile)
        }
        headers[name] = value
    }
}

/// How the response of a REST profile is read (spec §0 A3).
struct RESTResult {
    private static let deepest = 32
    private static let mostValues = 10_000

    let answer: RESTAnswer

    private var json: JSONNode? {
        guard case .response(_, let body) = answer, let node = try? JSONNode(parsing: body, limit: Self.mostValues)
        else { return nil }
        return node.isObject && node.depth <= Self.deepest ? node : nil
    }

    private var status: Int? { if case .response(let status, _) = answer { status } else { nil } }

    /// The response of a success; an empty body has no claims.
    var claims: JSONNode? {
        guard case .response(200..<300, let body) = answer else { return nil }
        return body.allSatisfy { $0 <= 0x20 } ? [:] : json
    }

    /// The text that the service wants its user to see.
    var userMessage: String? {
        guard let status, (400..<500).contains(status), let text = json?["userMessage"]?.string else { return nil }
        let own = json?["status"]
        return own == nil || own?.lenientInteger == 409 ? text : nil
    }

    /// The metadata with the text of a failure.
    var messageKey: String {
        guard case .failure(let failure) = answer else { return "DefaultUserMessageIfRequestFailed" }
        return switch failure {
        case .circuitOpen: "UserMessageIfCircuitOpen"
        case .dns: "UserMessageIfDnsResolutionFailed"
        case .timeout: "UserMessageIfRequestTimeout"
        case .notAllowed, .other: "DefaultUserMessageIfRequestFailed"
        }
    }

    var text: String {
        switch answer {
        case .failure(.notAllowed): return "not called: the host is not allowed; name another one with --settings"
        case .failure(let failure): return "no response: \(failure)"
        case .response(let status, _):
            guard status >= 400, let json, json["userMessage"] != nil else { return "HTTP \(status)" }
            guard let own = json["status"] else { return "HTTP \(status); the body has no status, which should be 409" }
            return "HTTP \(status)" + (own.lenientInteger == 409 ? "" : "; the body's status must be 409")
        }
    }
}

extension JourneyRun {
    mutating func rest(_ profile: Profile, _ inputs: Inputs) throws -> Need? {
        if let claim = profile.metadata("UseClaimAsBearerToken") { hideClaim(claim.lowercased()) }
        let call = try RESTRequest(profile: profile, inputs: inputs, run: self).call()
        for (name, value) in call.headers where name == "Authorization" { work.secrets.add(value) }
        note(profile.id, "\(call.method) \(call.url) \(call.body ?? "")")
        let step = currentStep
        let exchange = work.exchange ?? profile.id
        let isInPage = work.submit != nil
        let texts = Self.failureKeys.map {
            ($0, ownMessage($0, profile) ?? (isInPage ? message($0, of: profile, call.url) : nil))
        }
        let known = Dictionary(texts) { $1 }
        let resolvesPaths = profile.isTrue("ResolveJsonPathsInJsonTokens")
        return ask(.http(call), profile) { answer in
            guard case .http(let answer) = answer else { throw Journey.UnexpectedAnswer() }
            let result = RESTResult(answer: answer)
            if let claims = result.claims { return { claims.value(at: $0, isPath: resolvesPaths) } }
            if let text = result.userMessage { throw Failure.message(text, code: "AADB2C90075") }
            let sentence =
                "The claims exchange '\(exchange)' specified in step '\(step?.number ?? "")' failed: \(result.text)."
            throw Failure.message((known[result.messageKey] ?? nil) ?? sentence, code: "AADB2C90075")
        }
    }

    private static let failureKeys = [
        "DefaultUserMessageIfRequestFailed", "UserMessageIfCircuitOpen", "UserMessageIfDnsResolutionFailed",
        "UserMessageIfRequestTimeout",
    ]

    private func ownMessage(_ key: String, _ profile: Profile) -> String? {
        string("ErrorMessage", nil, key) ?? policy.profile(state.page?.profile)?.metadata(key) ?? profile.metadata(key)
    }
}

extension JSONNode {
    /// The member of a name, or with `isPath` at a path such as `value[0].name` or `value.0.name`.
    func value(at name: String, isPath: Bool) -> JSONNode? {
        if let member = members.first(where: { $0.name == name }) { return member.node }
        guard isPath else { return nil }
        let parts = name.replacing("[", with: ".").replacing("]", with: "").split(separator: ".")
        return parts.reduce(self) { node, part in
            guard let array = node?.array else { return node?.members.first { $0.name == part }?.node }
            return Int(part).flatMap { array.indices.contains($0) ? array[$0] : nil }
        }
    }

    var depth: Int {
        1 + ((array ?? members.map(\.node)).map(\.depth).max() ?? 0)
    }
}
