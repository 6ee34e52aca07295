import ArgumentParser
import Susi

/// `doctor --record`: a sign-in whose messages are written to a file, without their values.
struct RecordOptions: GivenArguments {
    @Option(
        help: ArgumentHelp(
            "Sign in, and write what the authority sent: names, types, error codes; no values", valueName: "file"),
        completion: .file())
    var record: String?

    @OptionGroup var policy: PolicyOption
    @OptionGroup var way: SignInWay
    @OptionGroup var browser: BrowserOptions

    // Only a recording accepts them.
    static var givenOptions: [OptionReader<Self>] {
        .group(\.policy, accepting: []) + .group(\.way, accepting: []) + .group(\.browser, accepting: [])
    }

    func validate() throws {
        let needing = [
            ("-p", policy.text != nil), ("--tenant", policy.tenant.text != nil), ("--username", way.username != nil),
            ("--device", way.device), ("--no-browser", browser.noBrowser), ("--browser", browser.browser != nil),
            ("--port", browser.port != nil), ("--timeout", browser.timeout != nil),
        ]
        guard record == nil, let ignored = needing.first(where: \.1)?.0 else { return }
        throw ValidationError("\(ignored) needs --record\nwithout it, doctor does not sign in")
    }

    /// Signs in under the policy, or runs it if it is of another kind, and writes the recording. It is printed first. After a
    /// failed sign-in, what was received is written, and its error is thrown.
    func write(to name: String, _ context: Context) async throws {
        let policy = try context.client.policy(try policy.name(in: context))
        let file = try OutputFile(name)
        let (outcome, recording) = await context.client.recording(
            under: policy, date: String(Timestamp(context.now).rfc3339.prefix(10))
        ) { try await run(policy, context) }
        do { try Self.write(recording, to: file, context) } catch {
            file.discard()
            throw error
        }
        try outcome.get()
    }

    private func run(_ policy: Policy, _ context: Context) async throws {
        let client = context.client
        switch policy.kind {
        case .editProfile:
            let selection = AccountSelection()
            try await context.working("contacting the provider") { spinner in
                _ = try await client.editProfile(
                    of: selection, policy: policy.name, through: browser.surface(context, spinner))
            }
        case .passwordReset:
            try await context.working("contacting the provider") { spinner in
                _ = try await client.resetPassword(policy: policy.name, through: browser.surface(context, spinner))
            }
        case .signUpOrSignIn, .resourceOwner:
            let request = SignInRequest(policy: policy.name, choosesAccount: true)
            _ = try await way.signIn(request, context, through: browser)
        }
    }

    private static func write(_ recording: Recording, to file: OutputFile, _ context: Context) throws {
        let console = context.console
        guard !recording.captures.isEmpty else { return file.discard() }
        let text: String
        do throws(Recording.Refusal) { text = try recording.text() } catch {
            throw SusiError(
                .invalidAnswer, "the recording was not written",
                why: "capture \(error.number) (\(error.message)) has a word that may be the tenant’s own",
                next: "report this as a bug in susi")
        }
        console.out(bytes: Array(text.utf8))
        try file.keep(text.utf8)
        let count = Count.text(recording.captures.count, "capture")
        console.err("\(console.errStyle.good("Wrote")) \(count) to \(Terminal.safe(file.name)), as printed above")
        let names = recording.replacedNames.sorted().map { Terminal.safe($0) }
        if !names.isEmpty {
            console.err(console.errStyle.faint("  without the names \(names.joined(separator: ", "))"))
        }
    }
}
