import Susi
import SusiBase
import SusiEmulator

/// The text that `susi emulator run` prints when it starts to listen.
struct StartScreen {
    let emulator: RunningEmulator
    let tenants: [TenantConfiguration]
    let reach: ListenOptions
    /// The tenant file of a copy.
    var seed: String?
    /// The copy, if susi has to be told to use it.
    var copy: TenantCopy?
    /// The policies file of this emulator alone, which exists while it runs; `nil` if commands find another one.
    let file: String?
    /// Whether susi used another address before, whose accounts it does not show at this one.
    var hidesAccounts = false
    /// The options that suggested commands repeat.
    let given: GivenOptions

    /// Returns the lines. Reads only a few names from the database.
    func lines(_ style: Style) throws -> [String] {
        let names = tenants.map { style.strong(Self.name($0)) }
        let verb = names.count == 1 ? "listens" : "listen"
        let origins = emulator.ports.map(\.origin).joined(separator: " and ")
        return ["\(names.joined(separator: ", ")) \(verb) at \(origins)"]
            + copyLines + (try userLines) + [Self.line("page", "\(emulator.origin)/")]
            + (file.map { [Self.line("policies", $0)] } ?? []) + trust
            + exposure(style) + unusual
            + (hidesAccounts
                ? [Self.line("note", "susi uses this address from now on; accounts of the last one are kept")] : [])
            + (copy.map { [Self.line("use", "\($0.exports)")] } ?? [])
            + [Self.line("next", "\(command("sign-in"))    (\(place); Ctrl-C stops the emulator)")]
    }

    private var place: String { copy == nil ? "in another terminal" : "in another terminal, after that line" }

    private func command(_ name: String) -> SuggestedCommand { given.completing(SuggestedCommand(name)) }

    private static func line(_ word: String, _ text: String) -> String {
        "  \(word)\(String(repeating: " ", count: max(1, 10 - word.count)))\(Terminal.safe(text))"
    }

    private static func name(_ tenant: TenantConfiguration) -> String {
        Terminal.safe(tenant.name.isEmpty ? "The provider" : tenant.name)
    }

    private var copyLines: [String] {
        let originals = Set(tenants.compactMap(\.copyOf?.description)).sorted()
        guard !originals.isEmpty else { return [] }
        let builtIn = SuggestedCommand("emulator run").option("-A", PoliciesFile.builtInApplication)
        let others =
            copy?.original.policiesElsewhere.map { Self.line("without", "\($0.policy), a policy of \($0.tenant)") }
            ?? []
        return originals.map { Self.line("copy of", $0) } + others
            + [seed].compactMap { $0.map { Self.line("with", $0) } }
            + [Self.line("built-in", "\(builtIn)    (serves the built-in tenant)")]
    }

    // Lists the current users, as many as fit on a line, and their password if they share one.
    private var userLines: [String] {
        get throws {
            let users = try tenants.compactMap { tenant in
                try emulator.users(of: tenant, limit: 5).map { (tenant, $0) }
            }
            let all = users.map { ($0, Self.named($1)) }
            let isSame = Set(all.map(\.1)).count == 1
            let lines = isSame ? all.prefix(1).map(\.1) : all.map { "\(Self.name($0)): \($1)" }
            return lines.enumerated().map { Self.line($0 == 0 ? "users" : "", $1) } + password(users.map(\.1))
                + changes(users.map(\.1))
        }
    }

    private func changes(_ users: [UserSummary]) -> [String] {
        let count = users.reduce(0) { $0 + $1.changed }
        guard count > 0 else { return [] }
        let verb = count == 1 ? "is" : "are"
        // The policies file of this emulator is gone when it can be reset.
        let reset = file == nil ? command("emulator reset") : SuggestedCommand("emulator reset")
        return [Self.line("note", "\(Count.text(count, "user")) \(verb) not as configured; \(reset) restores all")]
    }

    // Names as many users as fit on a line of 80 columns, at least one.
    private static func named(_ users: UserSummary) -> String {
        guard let first = users.first.first else { return "none" }
        let texts = users.first.indices.dropFirst().map { index in
            let rest = users.count - index - 1
            return users.first[...index].joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        }
        let alone = users.count > 1 ? "\(first) and \(users.count - 1) more" : first
        return texts.last { $0.count <= 68 } ?? alone
    }

    // A password hash does not reveal the password.
    private func password(_ users: [UserSummary]) -> [String] {
        let seeded = tenants.flatMap(\.users).filter { $0.identityProvider == nil }
        let passwords = Set(seeded.map { $0.passwordHash == nil ? $0.password : "" })
        guard passwords.count == 1, let password = passwords.first, !password.isEmpty else { return [] }
        let isAll = users.allSatisfy { $0.sharesPassword || $0.count == 0 }
        return [Self.line("password", "\(password) (\(isAll ? "for all of them" : "unless changed"))")]
    }

    private var trust: [String] {
        if let refusing = reach.certificate?.hosts(notIn: ["localhost"] + reach.secureHosts), !refusing.isEmpty {
            return [Self.line("note", "the certificate is not valid for \(refusing.joined(separator: ", "))")]
        }
        guard emulator.authority != nil else { return [] }
        return [Self.line("trust", "\(command("emulator trust"))    (for other programs; susi trusts it already)")]
    }

    private func exposure(_ style: Style) -> [String] {
        var lines: [String] = []
        if !reach.publicOrigins.isEmpty {
            let origins = reach.publicOrigins.joined(separator: " or ")
            lines.append(Self.line("public", "\(origins) in all documents and tokens"))
        }
        guard let address = reach.address else { return lines }
        let ports = emulator.ports.map { "\($0.number)" }.joined(separator: " and ")
        let everywhere = ["0.0.0.0", "::"].contains(address) ? "all addresses" : address
        lines += [
            Self.line("open", "at \(everywhere), port \(ports): anyone who knows a password can sign in"),
            Self.line("", "the page and the admin API are served to this machine only"),
        ].map(style.warning)
        if let authority = emulator.authority {
            let names = authority.names.map(\.description).joined(separator: ", ")
            lines.append(Self.line("", "the certificate is valid for \(names); --public-url adds a name"))
        }
        return lines
    }

    // Lists each lifetime once, even if several tenants have it.
    private var unusual: [String] {
        var found: [UnusualLifetime] = []
        for unusual in tenants.flatMap(\.unusualLifetimes) where !found.contains(unusual) { found.append(unusual) }
        return found.map { unusual in
            let (least, most) = (unusual.allowed.lowerBound, unusual.allowed.upperBound)
            let text = [unusual.seconds, least, most].map { Duration.text(seconds: $0) }
            return Self.line("note", "\(unusual.name) is \(text[0]); Azure AD B2C accepts \(text[1]) to \(text[2])")
        }
    }
}
