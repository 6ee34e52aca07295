import SusiBase

/// A code that was sent. Only its hash is kept (spec §0 B3).
struct SentCode: Codable {
    var hash: [UInt8]
    var expires: Double
    var tries = 0
    var sent = 1
}

/// How codes are made and how often they may be tried.
struct CodeRules {
    var length = 6
    var characters = Array("0123456789")
    var lifetime = 600.0
    var mostTries = 5
    var mostCodes = 10
}

enum CodeCheck { case accepted, wrong, expired, tooManyTries }

// By purpose and identifier, such as an address.
extension JourneyRun {
    /// Makes a code; `nil` after too many.
    mutating func makeCode(_ identifier: String, _ rules: CodeRules) -> String? {
        let old = state.codes[identifier]
        let isAlive = old.map { $0.expires > facts.now } ?? false
        if isAlive, let old, old.sent >= rules.mostCodes || old.tries >= rules.mostTries { return nil }
        var random = facts.random
        let code = String((0..<rules.length).compactMap { _ in rules.characters.randomElement(using: &random) })
        work.secrets.add(code)
        state.codes[identifier] = SentCode(
            hash: hash(code, identifier), expires: facts.now + rules.lifetime, sent: isAlive ? (old?.sent ?? 0) + 1 : 1)
        return code
    }

    /// Checks a code; an accepted one is used up.
    mutating func checkCode(_ identifier: String, _ code: String, _ rules: CodeRules) -> CodeCheck {
        work.secrets.add(code)
        guard let sent = state.codes[identifier], sent.expires > facts.now else { return .expired }
        guard sent.tries < rules.mostTries else { return .tooManyTries }
        guard sent.hash == hash(code.trimmed, identifier) else {
            state.codes[identifier]?.tries += 1
            return sent.tries + 1 < rules.mostTries ? .wrong : .tooManyTries
        }
        state.codes[identifier] = nil
        return .accepted
    }

    private func hash(_ code: String, _ identifier: String) -> [UInt8] {
        facts.sha256(Array("\(code)\n\(identifier)\n\(facts.correlationID)".utf8))
    }

    private func failure(
        _ check: CodeCheck, _ keys: (wrong: String, expired: String, tries: String), _ profile: Profile
    ) -> Failure? {
        let key: String
        switch check {
        case .accepted: return nil
        case .wrong: key = keys.wrong
        case .expired: key = keys.expired
        case .tooManyTries: key = keys.tries
        }
        return Failure.message(message(key, of: profile), code: "AADB2C90037")
    }

    private func sent(_ answer: Answer) throws {
        guard case .code = answer else { throw Journey.UnexpectedAnswer() }
    }

    /// Makes or checks a code of the policy's own (one-time-password-technical-profile, spec §3.4 and §0 C7).
    mutating func oneTimePassword(_ profile: Profile, _ inputs: Inputs) throws -> Need? {
        var rules = CodeRules()
        rules.length = min(max(profile.metadata("CodeLength").flatMap { Int($0) } ?? 6, 1), 64)
        rules.lifetime = profile.metadata("CodeExpirationInSeconds").flatMap { Double($0) } ?? 600
        rules.mostTries = profile.metadata("NumRetryAttempts").flatMap { Int($0) } ?? 5
        rules.mostCodes = profile.metadata("NumCodeGenerationAttempts").flatMap { Int($0) } ?? 10
        if let set = profile.metadata("CharacterSet").map({ CharacterSet($0) }) {
            rules.characters = (UInt8(33)...126).map { Unicode.Scalar($0) }.filter { set.contains($0) }.map {
                Character($0)
            }
        }
        let address = inputs["identifier"]?.text ?? ""
        let identifier = "otp \(address)"
        if profile.metadata("Operation")?.lowercased() == "generatecode" {
            guard let code = makeCode(identifier, rules) else {
                throw Failure.message(
                    message("UserMessageIfMaxNumberOfCodeGenerated", of: profile), code: "AADB2C90037")
            }
            return ask(.code(CodeCall(channel: .service, address: address, code: code)), profile) { answer in
                guard case .code = answer else { throw Journey.UnexpectedAnswer() }
                return { $0.lowercased() == "otpgenerated" ? .string(code) : nil }
            }
        }
        let key = "UserMessageIfVerificationFailedRetryAllowed"
        let isOwn = string("ErrorMessage", nil, key) != nil || policy.profile(state.page?.profile)?.metadata(key) != nil
        let keys = (
            isOwn ? key : "UserMessageIfInvalidCode", "UserMessageIfSessionDoesNotExist",
            "UserMessageIfMaxRetryAttempted"
        )
        let check = checkCode(identifier, inputs["otpToVerify"]?.text ?? "", rules)
        if let failure = failure(check, keys, profile) { throw failure }
        return try finishNow(profile)
    }

    /// Sends or checks a code for an e-mail address (aad-sspr-technical-profile).
    mutating func emailCode(_ profile: Profile, _ inputs: Inputs) throws -> Need? {
        let address = inputs["emailAddress"]?.text ?? ""
        let keys = (
            "UserMessageIfVerificationFailedRetryAllowed", "UserMessageIfChallengeExpired",
            "UserMessageIfVerificationFailedNoRetry"
        )
        return try code(profile, inputs, .email, address, keys)
    }

    /// Sends or checks a code for a phone (multi-factor-auth-technical-profile).
    mutating func phoneCode(_ profile: Profile, _ inputs: Inputs) throws -> Need? {
        let keys = (
            "UserMessageIfWrongCodeEntered", "UserMessageIfChallengeExpired", "UserMessageIfMaxAllowedCodeRetryReached"
        )
        return try code(profile, inputs, .phone, inputs["phoneNumber"]?.text ?? "", keys)
    }

    private mutating func code(
        _ profile: Profile, _ inputs: Inputs, _ channel: CodeCall.Channel, _ address: String,
        _ keys: (wrong: String, expired: String, tries: String)
    ) throws -> Need? {
        let identifier = "\(channel.rawValue) \(address)"
        switch profile.metadata("Operation")?.lowercased() {
        case "sendcode", "onewaysms":
            guard let code = makeCode(identifier, CodeRules()) else {
                throw Failure.message(message("UserMessageIfThrottled", of: profile), code: "AADB2C90037")
            }
            return ask(.code(CodeCall(channel: channel, address: address, code: code)), profile) { answer in
                guard case .code = answer else { throw Journey.UnexpectedAnswer() }
                return { _ in nil }
            }
        case "verifycode", "verify":
            let check = checkCode(identifier, inputs["verificationCode"]?.text ?? "", CodeRules())
            if let failure = failure(check, keys, profile) { throw failure }
            return try finishNow(profile)
        default:
            throw Failure.policy("the operation “\(profile.metadata("Operation") ?? "")” is not supported", profile)
        }
    }
}
