import ArgumentParser

/// `--rehearse`.
struct RehearsalOption: ParsableArguments {
    @Flag(help: "Use a local copy of the tenant, with accounts of its own (SUSI_REHEARSE)")
    var rehearse = false

    /// Whether the flag or the environment enables the rehearsal.
    var isOn: Bool { rehearse || ProcessEnvironment.current.rehearses }

    /// The options that a suggested next command repeats.
    var given: [GivenOption] { [GivenOption(.rehearse, isSet: rehearse)].compactMap(\.self) }
}
