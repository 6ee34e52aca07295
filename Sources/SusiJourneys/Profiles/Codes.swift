import SusiBase

/// A code that was sent. Only its hash is kept (spec §0 B3).
struct SentCode: Codable {
    var hash: [UInt8]
    var expires: Double
    var tries = 0
    var sent = 1
}

/// How codes are made, how often they may be tried, and the keys of the texts when they fail.
struct CodeRules {
    let wrong: String
    let expired: String
    let tooManyTries: String
    let tooManyCodes: String
    var length = 6
    var characters = Array("0123456789")
    var lifetime = 600.0
    var mostTries = 5
    var mostCodes = 10

    enum Operation { case send, check }

    static let operations: [String: Operation] = [
        "generatecode": .send, "sendcode": .send, "onewaysms": .send, "verifycode": .check, "verify": .check,
    ]

    static let page = CodeRules(
        wrong: "ver_fail_retry", expired: "ver_fail_code_expired", tooManyTries: "ver_fail_no_retry",
        tooManyCodes: "ver_fail_throttled")
    static let email = CodeRules(
        wrong: "UserMessageIfVerificationFailedRetryAllowed", expired: "UserMessageIfChallengeExpired",
        tooManyTries: "UserMessageIfVerificationFailedNoRetry", tooManyCodes: "UserMessageIfThrottled")
    static let phone = CodeRules(
        wrong: "UserMessageIfWrongCodeEntered", expired: "UserMessageIfChallengeExpired",
        tooManyTries: "UserMessageIfMaxAllowedCodeRetryReached", tooManyCodes: "UserMessageIfThrottled")

    /// Those of a one-time password profile (one-time-password-technical-profile, spec §0 C7).
    static func oneTime(_ profile: Profile, hasOwnText: Bool) -> CodeRules {
        func number(_ key: String, _ other: Int) -> Int { profile.metadata(key).flatMap { Int($0) } ?? other }
        var rules = CodeRules(
            wrong: hasOwnText ? email.wrong : "UserMessageIfInvalidCode", expired: "UserMessageIfSessionDoesNotExist",
            tooManyTries: "UserMessageIfMaxRetryAttempted", tooManyCodes: "UserMessageIfMaxNumberOfCodeGenerated")
        rules.length = min(max(number("CodeLength", 6), 1), 64)
        rules.lifetime = Double(number("CodeExpirationInSeconds", 600))
        rules.mostTries = number("NumRetryAttempts", 5)
        rules.mostCodes = number("NumCodeGenerationAttempts", 10)
        guard let set = profile.metadata("CharacterSet").map({ CharacterSet($0) }) else { return rules }
        let printable = (UInt8(33)...126).map { Unicode.Scalar($0) }
        rules.characters = printable.filter(set.contains).map { Character($0) }
        return rules
    }
}

// By purpose and identifier, such as an address.
extension JourneyRun {
    /// Makes a code; `nil` after too many.
    mutating func makeCode(_ identifier: String, _ rules: CodeRules) -> String? {
        let alive = state.codes[identifier].flatMap { $0.expires > facts.now ? $0 : nil }
        if let alive, alive.sent >= rules.mostCodes || alive.tries >= rules.mostTries { return nil }
        var random = facts.random
        let code = String((0..<rules.length).compactMap { _ in rules.characters.randomElement(using: &random) })
        work.secrets.add(code)
        state.codes[identifier] = SentCode(
            hash: hash(code, identifier), expires: facts.now + rules.lifetime, sent: (alive?.sent ?? 0) + 1)
        return code
    }

    /// Checks a code and returns the key of the text if it is not accepted. An accepted one is used up.
    mutating func checkCode(_ identifier: String, _ code: String, _ rules: CodeRules) -> String? {
        work.secrets.add(code)
        guard let sent = state.codes[identifier], sent.expires > facts.now else { return rules.expired }
        guard sent.tries < rules.mostTries else { return rules.tooManyTries }
        guard sent.hash == hash(code.trimmed, identifier) else {
            state.codes[identifier]?.tries += 1
            return sent.tries + 1 < rules.mostTries ? rules.wrong : rules.tooManyTries
        }
        state.codes[identifier] = nil
        return nil
    }

    private func hash(_ code: String, _ identifier: String) -> [UInt8] {
        facts.sha256(Array("\(code)\n\(identifier)\n\(facts.correlationID)".utf8))
    }

    mutating func oneTimePassword(_ profile: Profile, _ inputs: Inputs) throws -> Need? {
        let key = CodeRules.email.wrong
        let isOwn = string("ErrorMessage", nil, key) != nil || policy.profile(state.page?.profile)?.metadata(key) != nil
        let rules = CodeRules.oneTime(profile, hasOwnText: isOwn)
        return try code(profile, inputs["identifier"], inputs["otpToVerify"], .service, rules)
    }

    /// Sends or checks a code for an e-mail address (aad-sspr-technical-profile).
    mutating func emailCode(_ profile: Profile, _ inputs: Inputs) throws -> Need? {
        try code(profile, inputs["emailAddress"], inputs["verificationCode"], .email, .email)
    }

    /// Sends or checks a code for a phone (multi-factor-auth-technical-profile).
    mutating func phoneCode(_ profile: Profile, _ inputs: Inputs) throws -> Need? {
        try code(profile, inputs["phoneNumber"], inputs["verificationCode"], .phone, .phone)
    }

    private mutating func code(
        _ profile: Profile, _ address: ClaimValue?, _ given: ClaimValue?, _ channel: CodeCall.Channel,
        _ rules: CodeRules
    ) throws -> Need? {
        let address = address?.text ?? ""
        let (identifier, operation) = ("\(channel.rawValue) \(address)", profile.metadata("Operation") ?? "")
        switch CodeRules.operations[operation.lowercased()] {
        case .send:
            guard let code = makeCode(identifier, rules) else {
                throw Failure.message(message(rules.tooManyCodes, of: profile), code: "AADB2C90037")
            }
            return ask(.code(CodeCall(channel: channel, address: address, code: code)), profile) { answer in
                guard case .code = answer else { throw Journey.UnexpectedAnswer() }
                return { $0.lowercased() == "otpgenerated" ? .string(code) : nil }
            }
        case .check:
            if let key = checkCode(identifier, given?.text ?? "", rules) {
                throw Failure.message(message(key, of: profile), code: "AADB2C90037")
            }
            return try finishNow(profile)
        case nil: throw Failure.policy("the operation “\(operation)” is not supported", profile)
        }
    }
}
