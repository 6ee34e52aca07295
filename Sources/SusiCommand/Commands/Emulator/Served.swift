import Susi
import SusiEmulator

/// What one run of the emulator serves.
struct Served {
    /// The application that was named, then those of the same port, then those of the other scheme.
    let applications: [Application]
    /// The port of those of the other scheme.
    let others: [EmulatorPort]

    /// The tenants that they need.
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
    /// Whether the emulator serves a copy of a tenant that is elsewhere.
    var namesForeignTenant: Bool {
        if rehearsal.isOn { return true }
        let read = try? Paths(config: config, in: ProcessEnvironment.current).read(for: namedApplication)
        return read?.file.application(namedApplication).map { $0.emulatorPort == nil } ?? false
    }
}

extension Application {
    /// Where an emulator serves it; nil when its authority is not on this machine.
    var emulatorPort: EmulatorPort? {
        guard authority.isLoopback else { return nil }
        let isSecure = authority.scheme == "https"
        return UInt16(exactly: authority.port ?? (isSecure ? 443 : 80)).map { EmulatorPort($0, isSecure: isSecure) }
    }
}
