import FoundationEssentials
import Susi
import SusiEmulator
import SystemPackage

/// An application that is used against a local copy of its tenant.
struct Rehearsal: Sendable {
    /// The application as policies.json describes it.
    let original: Application
    /// The same application at the copy.
    let copy: Application
    // The applications that share the copy: those of the same tenant, this one first.
    private let served: [Application]
    private let copies: TenantCopies

    /// Finds the copies of an application and of its whole file. `emulator` is the emulator's folder of rehearsals.
    init(_ original: Application, of file: PoliciesFile, _ emulator: FilePath) {
        let copies = TenantCopies(folder: emulator)
        let beside = file.applications.filter {
            $0 != original && $0.kind == original.kind && $0.authority == original.authority
        }
        self.original = original
        self.copies = copies
        copy = original.rehearsed(at: copies.origin(of: original))
        served = [copy] + beside.map { $0.rehearsed(at: copies.origin(of: original)) }
    }

    /// The whole file at the copies.
    static func file(_ file: PoliciesFile, _ emulator: FilePath) -> PoliciesFile {
        let copies = TenantCopies(folder: emulator)
        return file.rehearsed(at: copies.origin)
    }

    /// The default address of the copy.
    var port: UInt16 { copies.origin(of: original).port.flatMap { UInt16(exactly: $0) } ?? 0 }

    /// The tenant with its copy's applications, and with what it is a copy of.
    var tenants: [TenantConfiguration] {
        TenantConfiguration.tenants(for: served).map { tenant in
            var tenant = tenant
            tenant.copyOf = "\(original.name), \(original.authority)"
            return tenant
        }
    }

    /// Records the address of the copy for other commands.
    func record(_ origin: String) throws { try copies.record(origin, of: original) }

    /// A description of the copy.
    var label: String { "a local copy of \(original.authority)" }

    /// The notice before a sign-in.
    var notice: String { "Rehearsal: \(copy.authority) is \(label)." }
}

/// Where the copies of tenants run: a small file in the emulator's folder, which names an origin on this machine for each
/// authority.
struct TenantCopies: Sendable {
    private static let largest = 1 << 20

    private let path: FilePath

    /// The copies of an emulator's folder; nothing is read yet.
    init(folder: FilePath) { path = folder.appending("copies.json") }

    /// The address at which the copy of an application's tenant runs or last ran. It is always on this machine.
    func origin(of application: Application) -> WebAddress {
        let recorded = read().first { $0.name == application.authority.description }?.node.string
        return recorded.flatMap { try? WebAddress($0) }.flatMap { $0.isLoopback ? $0 : nil } ?? .usualCopy
    }

    /// Records where it runs. The file is replaced in one step.
    func record(_ origin: String, of application: Application) throws {
        let key = application.authority.description
        let members =
            read().filter { $0.name != key } + [JSONNode.Member(name: key, node: JSONNode(value: .string(origin)))]
        let text = JSONText.pretty(JSONNode(value: .object(members))) + "\n"
        do {
            try Data(text.utf8).write(to: URL(filePath: path.string), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.string)
        } catch {
            throw SusiError(
                .store, "the emulator's address was not recorded", why: "\(path) cannot be written: \(error)",
                next: "make the folder writable, or set SUSI_HOME to another folder")
        }
    }

    private func read() -> [JSONNode.Member] {
        guard let bytes = SmallFile.readRegular(path.string, limit: Self.largest), bytes.count <= Self.largest else {
            return []
        }
        return (try? JSONNode(parsing: bytes))?.members ?? []
    }
}
