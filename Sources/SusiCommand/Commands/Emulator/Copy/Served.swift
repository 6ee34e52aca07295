import Susi
import SusiEmulator
import SusiStartup

/// The applications that one run of the emulator serves.
struct Served {
    /// The selected application, then those of the same port, then those of the port with the other scheme.
    let applications: [Application]
    /// The port with the other scheme, if any.
    let others: [EmulatorPort]

    var tenants: [TenantConfiguration] { TenantConfiguration.tenants(for: applications) }

    init(_ named: Application, of all: [Application]) {
        let own = named.emulatorPort
        let beside = all.filter { $0 != named && $0.emulatorPort == own }
        let other = all.compactMap(\.emulatorPort).first { $0.isSecure != own?.isSecure && $0.number != own?.number }
        others = [other].compactMap(\.self)
        applications = [named] + beside + all.filter { other != nil && $0.emulatorPort == other }
    }
}

extension GlobalOptions {
    /// Whether the emulator serves a copy of a tenant on another machine.
    var namesForeignTenant: Bool {
        let read = try? Paths(config: config, in: ProcessEnvironment.current).read(for: namedApplication)
        return read?.file.application(namedApplication).map { $0.emulatorPort == nil } ?? false
    }
}

extension Application {
    /// The emulator's port for this application; `nil` if the authority is not on this machine.
    var emulatorPort: EmulatorPort? { authority.emulatorPort }
}

extension WebAddress {
    /// The port of an address on this machine; `nil` for another one.
    var emulatorPort: EmulatorPort? {
        guard isLoopback else { return nil }
        let isSecure = scheme == "https"
        return UInt16(exactly: port ?? (isSecure ? 443 : 80)).map { EmulatorPort($0, isSecure: isSecure) }
    }
}
