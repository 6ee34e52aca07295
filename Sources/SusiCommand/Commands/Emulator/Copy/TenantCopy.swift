import FoundationEssentials
import Susi
import SusiBase
import SusiEmulator
import SystemPackage

/// An application that uses a local copy of its tenant.
struct Rehearsal: Sendable {
    /// The application in policies.json.
    let original: Application
    /// The same application with the address of the copy.
    let copy: Application
    /// The applications of the same tenant, which share the copy; this one first.
    let originals: [Application]
    private let copies: TenantCopies

    /// Finds the copy of an application's tenant. `emulator` is the emulator's folder for rehearsals.
    init(_ original: Application, of file: PoliciesFile, _ emulator: FilePath) {
        let copies = TenantCopies(folder: emulator)
        let others = file.applications.filter {
            $0 != original && $0.kind == original.kind && $0.authority == original.authority
        }
        self.original = original
        self.copies = copies
        copy = original.rehearsed(at: copies.origin(of: original))
        originals = [original] + others
    }

    /// Returns the file with the addresses of the copies.
    static func file(_ file: PoliciesFile, _ emulator: FilePath) -> PoliciesFile {
        let copies = TenantCopies(folder: emulator)
        return file.rehearsed(at: copies.origin)
    }

    /// A policy that the copy does not have, because it belongs to another tenant.
    struct LeftOut {
        let policy: Policy
        let why: String
    }

    /// The policies of the application that the copy does not have.
    var leftOut: [LeftOut] {
        original.policies.compactMap { policy in
            guard copy.policy(policy.name) == nil, let tenant = original.otherTenant(of: policy) else { return nil }
            return LeftOut(policy: policy, why: Self.why(tenant, original))
        }
    }

    /// Explains why a policy of that tenant cannot be rehearsed with the copy of the application's tenant.
    static func why(_ tenant: String, _ application: Application) -> String {
        "its tenant is \(tenant), and the local copy is that of \(application.authority)"
    }

    /// The default port of the copy.
    var port: UInt16 { copies.origin(of: original).port.flatMap { UInt16(exactly: $0) } ?? 0 }

    /// The tenants to serve, each marked as a copy of the original.
    var tenants: [TenantConfiguration] {
        let origin = copies.origin(of: original)
        return TenantConfiguration.tenants(for: originals.map { $0.rehearsed(at: origin) }).map { tenant in
            var tenant = tenant
            tenant.copyOf = "\(original.name), \(original.authority)"
            return tenant
        }
    }

    /// The hosts of the tenant in the cloud, with their port unless it is 443.
    var cloudHosts: Set<String> { originals.reduce(into: []) { $0.formUnion($1.cloudHosts) } }

    /// Records the copy's origin, so that other commands find it.
    func record(_ origin: String) throws { try copies.record(origin, of: original) }

    /// A description for messages.
    var label: String { "a local copy of \(original.authority)" }

    /// The notice printed before a sign-in.
    var notice: String { "Rehearsal: \(copy.authority) is \(label)." }

    /// Returns the notice printed before a call: the copy has a sample API in place of each API of the application.
    func notice(of api: API) -> String? {
        original.api(api.name).flatMap { own in
            own.baseURL == api.baseURL ? nil : "Rehearsal: the sample API of the copy responds, not \(own.baseURL)."
        }
    }
}

/// A record of where the copies of tenants run: a small file in the emulator's folder that maps each authority to an
/// origin on this machine.
struct TenantCopies: Sendable {
    private static let largest = 1 << 20

    private let path: FilePath

    /// Uses the file in an emulator's folder; reads nothing yet.
    init(folder: FilePath) { path = folder.appending("copies.json") }

    /// Returns the last known origin of a tenant's copy. Ignores an origin on another machine, even if the file
    /// contains one.
    func origin(of application: Application) -> WebAddress {
        let recorded = read().first { $0.name == application.authority.description }?.node.string
        return recorded.flatMap { try? WebAddress($0) }.flatMap { $0.isLoopback ? $0 : nil } ?? .usualCopy
    }

    /// Records the origin of a tenant's copy. Replaces the file atomically.
    func record(_ origin: String, of application: Application) throws {
        let key = application.authority.description
        let members =
            read().filter { $0.name != key } + [JSONNode.Member(name: key, node: JSONNode(value: .string(origin)))]
        let text = JSONText.pretty(JSONNode(value: .object(members))) + "\n"
        do { try PrivateFile.write(text.utf8, to: path) } catch {
            throw SusiError(
                .store, "the emulator's address was not recorded",
                why: "\(path) cannot be written: \(FileFailure.reason(error))",
                next: "make the folder writable, or set SUSI_HOME to another folder")
        }
    }

    private func read() -> [JSONNode.Member] {
        guard let bytes = try? OwnedFile.content(path.string, limit: Self.largest), bytes.count <= Self.largest else {
            return []
        }
        return (try? JSONNode(parsing: bytes))?.members ?? []
    }
}
