import ArgumentParser
import Susi
import SusiBase

/// The request parameters that every sign-in page accepts.
struct PageOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Languages of the sign-in page, best first: “ja en”", valueName: "locales"))
    var uiLocales: String?

    @Option(help: "Identity provider or domain to go to directly")
    var domainHint: String?

    @Option(help: ArgumentHelp("Parameter for a custom policy; repeatable", valueName: "key=value"))
    var extra: [String] = []

    @Option(
        help: ArgumentHelp(
            "ID token for a custom policy, such as an invitation: a file, or @- for standard input", valueName: "@file")
    )
    var idTokenHint: String?

    @Option(help: "Response mode: query or form_post")
    var responseMode: String?

    func validate() throws {
        _ = try parameters()
        guard idTokenHint?.hasPrefix("@") ?? true else {
            throw ValidationError(
                "invalid value for --id-token-hint\nother users of this machine can read arguments; use @FILE, or @- for standard input"
            )
        }
        if let uiLocales, Self.locales(uiLocales) == nil {
            throw ValidationError(
                "invalid value for --ui-locales\nexpected language tags separated by spaces, for example “ja en-GB”")
        }
        if let responseMode, ResponseMode(rawValue: responseMode) == nil {
            let names = ResponseMode.allCases.map(\.rawValue)
            let meant = NearMatch.of(responseMode, in: names).map { "; did you mean “\($0)”?" } ?? ""
            throw ValidationError(
                "unsupported response mode “\(responseMode)”\nsupported: \(names.joined(separator: ", "))\(meant)")
        }
    }

    func options() async throws -> AuthorizationOptions {
        var options = AuthorizationOptions(domainHint: domainHint, uiLocales: uiLocales.flatMap(Self.locales))
        if let idTokenHint { options.idTokenHint = try await Self.token(in: String(idTokenHint.dropFirst())) }
        options.extra = try parameters()
        options.responseMode = responseMode.flatMap(ResponseMode.init)
        return options
    }

    // Another file, given by mistake, is not sent.
    private static func token(in file: String) async throws -> String {
        let bytes = try await InputFile.read(file, limit: 16_384)
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        guard bytes.count <= 16_384, case .signed = DecodedToken(text) else {
            throw UsageError(
                "“\(file)” contains no signed token", why: "expected a JWT of at most 16384 bytes and nothing else",
                next: "pass the token that your application signed")
        }
        return text
    }

    private func parameters() throws -> [ExtraParameter] {
        var parameters: [ExtraParameter] = []
        for text in extra {
            let parameter: ExtraParameter
            do { parameter = try ExtraParameter(parsing: text) } catch {
                throw ValidationError("invalid value “\(text)” for --extra\n\(Self.reason(error))")
            }
            // RFC 6749 section 3.1: no parameter may be repeated.
            guard !parameters.contains(where: { $0.name == parameter.name }) else {
                throw ValidationError("invalid value “\(text)” for --extra\n“\(parameter.name)” is given twice")
            }
            parameters.append(parameter)
        }
        return parameters
    }

    private static func reason(_ refusal: ExtraParameter.Refused) -> String {
        switch refusal {
        case .noEqualsSign: "expected name=value"
        case .invalidName: "expected a name of visible ASCII characters without spaces"
        case .isOption(let name):
            "“\(name)” has its own option: \(option(ofParameter: name.lowercased()))"
        case .isReserved(let name): "susi sets “\(name)” itself"
        }
    }

    /// Returns the option for a parameter of the authorization request.
    static func option(ofParameter name: String) -> String {
        "--" + name.replacing("_", with: "-")
    }

    // RFC 5646 tags; commas count as spaces.
    private static func locales(_ text: String) -> String? {
        let tags = text.split { $0 == " " || $0 == "," }
        let isTag = { (tag: Substring) in tag.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") } }
        guard !tags.isEmpty, tags.allSatisfy(isTag) else { return nil }
        return tags.joined(separator: " ")
    }
}
