import HTTPTypes
import SusiBase
import SusiCaches
import SusiOAuth
import SusiPolicies

@testable import SusiCalling
@testable import SusiJourneys
@testable import SusiRequests

/// A reader of untrusted text. For any input it must end with a value or an error.
///
/// A new target is an entry in `all` and a folder of seeds of the same name.
struct Target: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    static let all = [
        Target(name: "redirect", run: redirect), Target(name: "location", run: location),
        Target(name: "token-answer", run: tokenResponse),
        Target(name: "discovery", run: discovery), Target(name: "jwt", run: jwt),
        Target(name: "policies", run: policies), Target(name: "caches", run: caches),
        Target(name: "claims", run: claims), Target(name: "proxy", run: proxy), Target(name: "query", run: query),
        Target(name: "xml", run: xml),
    ]

    /// Finds the target that the first argument names.
    static let chosen: Target = {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let target = all.first(where: { $0.name == name }) else {
            fatalError("no target “\(name)”: one of \(all.map(\.name))")
        }
        return target
    }()

    @Sendable private static func redirect(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        for request in ReaderContext.requests {
            let metadata = ReaderContext.metadata(request.authority)
            let response = try? AuthorizationResponse(
                form: text.replacing("STATE", with: request.state), to: request, from: metadata)
            switch response {
            case .refused(let refusal): ReaderContext.use(refusal)
            case .code(let code):
                precondition(text.contains("STATE"), "a response without this request's state")
                precondition(code.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "a code with invalid characters")
            case nil: break
            }
        }
        guard let fields = FormEncoding.decode(text) else { return }
        let again = FormEncoding.decode(FormEncoding.encode(fields)) ?? []
        precondition(
            fields.filter { !$0.name.isEmpty || !$0.value.isEmpty }.elementsEqual(
                again.filter { !$0.name.isEmpty || !$0.value.isEmpty }, by: ==))
    }

    // The header Location of an API's response, against the API's base: the token is not sent elsewhere, however a server
    // reads the path.
    @Sendable private static func location(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        for from in [ReaderContext.base.appending("items"), ReaderContext.elsewhere] {
            guard let redirect = CallRedirect(text, from: from, base: ReaderContext.base), redirect.isBelowBase else {
                continue
            }
            precondition(redirect.address.origin == ReaderContext.base.origin)
            // The host may be in upper case or have a port.
            let target = redirect.url.utf8.dropFirst("https://".utf8.count).drop { $0 != UInt8(ascii: "/") }
            var path = Array(target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
            while true {
                precondition(climbed(path).starts(with: ReaderContext.base.segments), "the token leaves the base")
                let decoded = decoded(path)
                if decoded == path { break }
                path = decoded
            }
        }
    }

    // Decodes each escape once.
    private static func decoded(_ path: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = path[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.allSatisfy(\.isHexDigit), digits.utf8.count == 2,
                let value = UInt8(digits, radix: 16)
            {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    // Returns the segments as a servlet container reads them: without the part after a semicolon, with dots resolved.
    private static func climbed(_ path: [UInt8]) -> [String] {
        path.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.reduce(into: []) { segments, segment in
            switch String(decoding: segment.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
            case ".", "": break
            case "..": _ = segments.popLast()
            default: segments.append(String(decoding: segment, as: UTF8.self))
            }
        }
    }

    @Sendable private static func tokenResponse(_ input: [UInt8]) {
        for status in [200, 400, 307] {
            do {
                let response = try TokenResponse(parsing: input, status: status)
                for request in ReaderContext.requests {
                    _ = try? TokenGrant(
                        response: response, scopes: request.scopes, keys: ReaderContext.keys,
                        rules: ReaderContext.rules(request.authority))
                    _ = try? TokenGrant(
                        response: response, scopes: request.scopes, renewing: ReaderContext.account,
                        HomeAccountID(uid: "u", utid: "t"), authority: request.authority, now: ReaderContext.now)
                }
            } catch let refusal as ServerRefusal { ReaderContext.use(refusal) } catch {}
        }
        if let refusal = TokenResponse.refusal(in: input) { ReaderContext.use(refusal) }
        _ = try? DeviceCode(parsing: input, status: 200)
        for step in NativeStep.allCases {
            for status in [200, 400] { _ = try? NativeResponse(parsing: input, status: status, to: step) }
        }
    }

    @Sendable private static func discovery(_ input: [UInt8]) {
        for request in ReaderContext.requests { _ = try? ProviderMetadata(parsing: input, of: request.authority) }
        _ = try? KeySet(parsing: input)
    }

    // A header, a line end and claims, or a complete token.
    @Sendable private static func jwt(_ input: [UInt8]) {
        let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let text =
            parts.count == 2
            ? "\(Base64URL.encode(parts[0])).\(Base64URL.encode(parts[1])).AAAA"
            : String(decoding: input, as: UTF8.self)
        guard let token = try? SignedToken(parsing: text) else { return }
        try? ReaderContext.keys.verify(token)
        for request in ReaderContext.requests {
            for previous in [nil, token.claims] {
                _ = try? ReaderContext.rules(request.authority, previous).check(token, accessToken: "at")
            }
        }
        _ = Profile(claims: token.claims)
    }

    @Sendable private static func policies(_ input: [UInt8]) {
        guard let file = try? PoliciesFile(text: input, source: "input") else { return }
        for application in file.applications {
            for policy in application.policies {
                _ = application.knownAuthorities.decision(for: application.authority(for: policy))
                _ = try? application.target(api: nil, policy: policy.name)
            }
        }
    }

    @Sendable private static func xml(_ input: [UInt8]) {
        if let root = try? Element.parse(input, file: 0) {
            root.forEach { element in
                precondition(input[element.place.offset] == UInt8(ascii: "<"), "an element begins elsewhere")
            }
        }
        let lines = input.count { $0 == 0x0a } + 1
        let settings = PolicyOptions(values: ["a": "<A b='{Settings:Tenant}'\n/>", "Tenant": "t.example"])
        for finding in FolderCheck([PolicySource(path: "p.xml", content: input)], settings).findings {
            precondition((1...lines).contains(finding.line), "a finding in a line that is not there")
        }
    }

    @Sendable private static func caches(_ input: [UInt8]) { _ = try? CacheFile(parsing: input) }

    @Sendable private static func proxy(_ input: [UInt8]) {
        guard let request = ProxyRequest(input) else { return }
        precondition(input[..<request.size].suffix(4).elementsEqual("\r\n\r\n".utf8), "the head ends elsewhere")
        guard let place = request.place else { return }
        precondition(place.host.utf8.allSatisfy { (0x21...0x7e).contains($0) } && !place.host.hasSuffix("."))
    }

    @Sendable private static func query(_ input: [UInt8]) {
        let query = HelloQuery(query: Parameters(String(decoding: input, as: UTF8.self)))
        precondition(query.bytes >= 0 && query.delay >= .zero && query.redirect.kind == .redirection)
        precondition((200...599).contains(query.status.code))
    }

    @Sendable private static func claims(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        _ = try? ClaimsChallenge(decoding: text)
        guard let request = try? ClaimsRequest(parsing: input), request.text.utf8.count <= ClaimsRequest.largest else {
            return
        }
        precondition(
            (try? ClaimsRequest(parsing: request.text.utf8)) == request, "written text differs when it is read")
        _ = request.merged(with: request)
    }
}
