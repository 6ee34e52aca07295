import ArgumentParser
import SusiEntry

struct RehearsalOption: GivenArguments {
    @Flag(help: "Use a local copy of the tenant, with accounts of its own (SUSI_REHEARSE)")
    var rehearse = false

    /// Whether the flag or the environment enables the rehearsal.
    var isOn: Bool { rehearse || ProcessEnvironment.current.rehearses }

    static var givenOptions: [OptionReader<Self>] { [.flag(.rehearse, \.rehearse)] }
}
