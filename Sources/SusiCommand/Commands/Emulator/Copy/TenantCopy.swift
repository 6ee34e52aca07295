import FoundationEssentials
import Susi
import SusiBase
import SusiEmulator
import SusiStartup
import SystemPackage

/// The local copy of a tenant on another machine. It has a home of its own, which no search finds: policies file, tenant file,
/// store, users and certificates.
struct TenantCopy: Sendable {
    /// The application in policies.json.
    let original: Application
    /// The applications of the same tenant, which share the copy; this one first.
    let originals: [Application]
    /// The paths of the copy.
    let paths: Paths

    /// Finds the copy of an application's tenant.
    init(_ original: Application, of file: PoliciesFile, _ copies: FilePath) throws(Paths.Unusable) {
        let others = file.applications.filter {
            $0 != original && $0.kind == original.kind && $0.authority == original.authority
        }
        self.original = original
        originals = [original] + others
        paths = try Paths.copy(
            in: copies.appending(Self.name(original.authority)), ProcessEnvironment.current)
    }

    // The host, so that a person finds the folder, and the path, each with its separator.
    private static func name(_ authority: WebAddress) -> String {
        let plain = authority.description.lowercased().drop { $0 != ":" }.dropFirst(3)
        return String(plain.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }.prefix(200))
    }

    var home: FilePath { paths.emulator.removingLastComponent() }

    /// The line that makes susi use the copy, for a shell.
    var exports: String { Self.exports(home, policies: home.appending("policies.json").string) }

    static func exports(_ home: FilePath, policies: String) -> String {
        "export SUSI_HOME=\(home.string.shellWord) SUSI_CONFIG=\(policies.shellWord)"
    }

    /// The port at which the copy was served the last time, else the default one.
    var port: UInt16 {
        let last = try? paths.read().file.applications.first?.authority.port
        return last.flatMap { UInt16(exactly: $0) } ?? 8490
    }

    /// The tenants to serve, each marked as a copy of the original.
    var tenants: [TenantConfiguration] {
        TenantConfiguration.tenants(for: originals.map { $0.copied(to: .usualCopy) })
    }

    /// The hosts of the tenant in the cloud, with their port unless it is 443.
    var cloudHosts: Set<String> { originals.reduce(into: []) { $0.formUnion($1.cloudHosts) } }

    /// A description for messages.
    var label: String { "a local copy of \(original.authority.spelling)" }

    /// Writes the files that susi, and the emulator at its next start there, use.
    func write(_ tenants: [TenantConfiguration], at origin: String) throws {
        let policies = ServedPolicies(applications: originals, tenants: tenants)
        let files = [
            ("policies.json", try policies.text(at: origin, asCloud: false)),
            (TenantFile.usualName, TenantFile.text(of: tenants)),
        ]
        for (name, text) in files {
            let path = home.appending(name)
            do { try PrivateFile.write((text ?? "").utf8, to: path) } catch {
                throw SusiError(
                    .store, "the files of the copy were not written",
                    why: "\(path) cannot be written: \(FileFailure.reason(error))",
                    next: "make the folder writable, or set SUSI_HOME to another folder")
            }
        }
    }
}

/// The applications of a policies file whose tenants an emulator serves.
struct ServedPolicies {
    /// As the file has them; the first is the current one.
    let applications: [Application]
    let tenants: [TenantConfiguration]

    /// Returns the text of a policies file with the applications at an emulator, or under the names of the cloud, and with the
    /// tenants' policies for sign-ins without a browser; `nil` without an application that a tenant has.
    func text(at origin: String, asCloud: Bool) throws -> String? {
        let origin = try WebAddress(origin)
        let served = applications.compactMap { original -> Application? in
            let tenant = tenants.first { $0.kind == original.kind && $0.application(original.clientID) != nil }
            guard asCloud || tenant != nil else { return nil }
            var application = asCloud ? original : original.copied(to: origin)
            let more = original.kind.traits.hasPolicies ? tenant?.policies ?? [] : []
            application.policies += more.filter { $0.kind == .resourceOwner && original.policy($0.name) == nil }
            return application
        }
        return served.isEmpty ? nil : PoliciesFile.text(of: served)
    }
}
