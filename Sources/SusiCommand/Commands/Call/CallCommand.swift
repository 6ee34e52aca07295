import ArgumentParser
import Susi
import SusiBase

struct CallCommand: AsyncParsableCommand, PolicyCommand, AccountCommand, PageCommand {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "Call an API of policies.json with an access token.",
        discussion: """
              susi call hello
              susi call POST hello -d '{"text":"good morning"}'
              susi call hello '/echo?lang=en' -a ben@contoso.example -i
              susi call http://localhost:8480/api/hello/echo
              susi call PUT hello /echo -d @picture.png --dry-run
              susi call -X DELETE hello /echo

            Spaces and letters outside ASCII are percent-encoded. The token goes only to the API's own address. An API may be silent \
            for 30 seconds, or for --timeout.
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption
    @OptionGroup var errors: JSONErrorsOption

    @Argument(
        help: ArgumentHelp("[METHOD] API [PATH], or [METHOD] ADDRESS of an API", valueName: "call"),
        completion: LiveNames.calls)
    var words: [String] = []

    @Option(
        name: [.customShort("X"), .customLong("request")],
        help: ArgumentHelp("HTTP method", valueName: "method"))
    var method: String?

    @Option(help: "Extra scope to request; repeatable")
    var scope: [String] = []

    @Option(name: [.customShort("d"), .customLong("data")], help: "Body: text, @FILE, or @- for standard input")
    var data: String?

    @Option(name: [.customShort("H"), .customLong("header")], help: "Header “Name: value”; repeatable")
    var headers: [String] = []

    @Flag(name: [.customShort("i"), .customLong("include")], help: "Print the response headers too")
    var includesHead = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "New file for the body; - for standard output",
        completion: .file())
    var output: String?

    @Flag(help: "Print the same request as a curl command; send nothing")
    var curl = false

    @Flag(help: "Show the request and the account; send nothing")
    var dryRun = false

    @OptionGroup(title: "Sign-in options") var fallback: SignInFallback
    @OptionGroup(title: "Sign-in options") var browser: BrowserOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }
    var givenAccount: String? { account.text }
    var longestSilence: Seconds? { browser.timeout }

    func validate() throws {
        if curl, dryRun { throw ValidationError("--curl and --dry-run cannot be combined") }
        if fallback.signIn, curl || dryRun {
            throw ValidationError("--sign-in has no effect with \(curl ? "--curl" : "--dry-run")\nnothing is sent")
        }
        if let method, !Self.methods.contains(method.uppercased()) {
            throw ValidationError("unsupported method “\(method)”\nsupported: \(Self.methods.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let context = try Context(self)
        guard !words.isEmpty else { throw Self.noAPI(context.application) }
        let call = try await call(context)
        // With --json, an error is the only text on standard error.
        if !errors.json { context.announceCopy() }
        let selection = try await context.selection(
            account, under: try policy.name(in: context, api: call.api.name))
        if curl {
            // The line itself quotes control characters; escaping them here would change the request.
            context.console.out(try curlLine(call, context).text)
        } else if dryRun {
            let preview = try await context.client.preview(call, of: selection)
            let why = try await reason(preview, context)
            try context.show(CallReport(preview: preview, why: why, now: context.now), json: errors.json)
        } else {
            // Standard input is read for the body, and cannot be read a second time.
            try await fallback.run(
                selection, api: call.api.name, scopes: scope, asks: !errors.json && data != "@-", through: browser,
                in: context
            ) { selection in
                try await send(call, of: selection, context)
            }
        }
    }

    private static func noAPI(_ application: Application) -> UsageError {
        let apis = application.apis
        guard let first = apis.first else {
            return UsageError(
                "no API to call", why: "the application “\(application.name)” has no APIs",
                next: "add one to its apis in policies.json")
        }
        return UsageError(
            "missing API", why: "the application “\(application.name)” has these APIs",
            next: "\(SuggestedCommand("call", first.name))", candidates: apis.map { "\($0.name)  \($0.baseURL)" })
    }

    private func send(_ call: ResolvedCall, of selection: AccountSelection, _ context: Context) async throws {
        let sink = try BodySink(
            console: context.console, file: output == "-" ? nil : output, includesHead: includesHead,
            printsStatus: !errors.json)
        let head = try await context.working("calling \(Terminal.safe(call.api.name))") { spinner in
            await sink.show(after: spinner)
            do {
                let head = try await context.client.call(
                    call, of: selection,
                    willSend: { token in
                        if !token.scopes.declined.isEmpty { spinner?.stop() }
                        context.warn(token.scopes)
                    }, receive: { try await sink.take($0, $1) })
                try await sink.finish()
                return head
            } catch {
                await sink.discard()
                throw error
            }
        }
        guard head.status >= 400 else { return }
        let api = call.api
        let next = try await nextStep(after: head, of: api, selection, in: context)
        if errors.json {
            throw RefusedCall(
                error: SusiError(
                    .refused, "the API “\(api.name)” responded with \(head.status) \(head.reason)",
                    why: head.header("WWW-Authenticate") ?? "see the body of its answer", next: next),
                status: head.status)
        }
        if !next.isEmpty { context.advise(next) }
        throw CommandEnded(code: .api)
    }

    // Suggests inspecting the token after 401 and 403, because its claims show the reason.
    private func nextStep(
        after head: APICall.Head, of api: API, _ selection: AccountSelection, in context: Context
    ) async throws -> NextStep {
        let inspection: NextStep = "\(SuggestedCommand("token", api.name)) | \(SuggestedCommand("inspect", "-"))"
        switch head.status {
        case 401:
            let policy = try context.client.policy(selection.policy)
            let other: NextStep = "or see why with the API’s settings: \(inspection) --for-api appsettings.json"
            let step: NextStep = "\(.run(policy))\(remark: other)"
            let account = try? await context.client.account(selection.under(policy))
            if let account { return await context.client.demanding(account, in: step) }
            return step
        case 403: return "see which scopes the token has: \(inspection)"
        default: return ""
        }
    }

    // Detects an invalid request before standard input is read.
    private func call(_ context: Context) async throws -> ResolvedCall {
        let call = try parsedWords().resolved(in: context.application)
        let body = try await body()
        return call.with(headers: try parsedHeaders(body), body: body?.body)
    }

    private func body() async throws -> CallBody? {
        if let data { try await CallBody(data) } else { nil }
    }

    private func parsedWords() throws -> CallRequest {
        var rest = words[...]
        var method = self.method?.uppercased() ?? (data == nil ? "GET" : "POST")
        if self.method == nil, let first = rest.first, Self.methods.contains(first.uppercased()), rest.count > 1 {
            method = first.uppercased()
            rest = rest.dropFirst()
        }
        guard let api = rest.popFirst(), rest.count <= (api.contains("://") ? 0 : 1) else {
            throw UsageError(
                "invalid call “\(words.joined(separator: " "))”",
                why: "expected [METHOD] API [PATH] or [METHOD] ADDRESS",
                next: "\(SuggestedCommand("help call"))")
        }
        return CallRequest(api: api, path: rest.first ?? "", method: method, scopes: scope)
    }

    private func parsedHeaders(_ body: CallBody?) throws -> [(name: String, value: String)] {
        var parsed = try headers.map { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(\.isTokenCharacter) else {
                throw UsageError(
                    "invalid header “\(text)”", why: "expected “Name: value”", next: "\(SuggestedCommand("help call"))")
            }
            guard !Self.ownHeaders.contains(parts[0].lowercased()) else {
                throw UsageError("the header \(parts[0]) is set by susi", next: "leave it out")
            }
            guard parts[1].utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
                throw UsageError(
                    "the header \(parts[0]) contains a control character", next: "\(SuggestedCommand("help call"))")
            }
            return (name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))
        }
        if let body, !parsed.contains(where: { $0.name.lowercased() == "content-type" }) {
            parsed.append((name: "Content-Type", value: body.mediaType))
        }
        return parsed
    }

    // Headers that identify the caller or describe the length of the body.
    private static let ownHeaders = ["authorization", "content-length", "transfer-encoding"]

    // Reads a body from standard input only for its media type; the printed command reads it again.
    private func curlLine(_ call: ResolvedCall, _ context: Context) throws -> CurlLine {
        guard call.call.method != "HEAD" || (data ?? "").isEmpty else {
            throw UsageError(
                "curl cannot send this request", why: "curl sends no body with HEAD", next: "leave out -d")
        }
        // The line may be pasted into a shell that uses the tenant itself, whose tokens a local copy must never get.
        let plain = scope.reduce(SuggestedCommand("token", call.api.name).option("-f", "header")) {
            $0.option("--scope", $1)
        }
        let token = plain.option("--config", context.application.copyOf.flatMap { _ in context.policiesFile })
        return CurlLine(
            call: call.call, headerCommand: context.given.completing(token).description, data: data,
            includesHead: includesHead, output: output)
    }

    private func reason(_ preview: CallPreview, _ context: Context) async throws -> String {
        if account.text != nil { return "named by -a" }
        if let named = account.chosen { return "named by SUSI_ACCOUNT=\(named)" }
        if let tenant = context.application.otherTenant(of: preview.token.account) { return "signed in at \(tenant)" }
        let count = try await context.client.accountCount(policy: preview.token.policy.name)
        // Without an account there, the one at home brings the token.
        if count == 0 { return "signed in at home" }
        return count == 1 ? "the only account" : "current of \(count) accounts"
    }
}
