import ArgumentParser
import SusiStartup

struct RehearsalOption: ParsableArguments {
    static let help: ArgumentHelp = "Use a local copy of the tenant, with accounts of its own (SUSI_REHEARSE)"

    @Flag(help: help)
    var rehearse = false

    /// Whether the flag or the environment enables the rehearsal.
    var isOn: Bool { rehearse || ProcessEnvironment.current.rehearses }
}
