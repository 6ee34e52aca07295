import SusiBase
import SusiPolicies

/// Why an emulator cannot start.
public enum EmulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another program listens on that port.
    case portTaken(UInt16)
    /// An address cannot be listened on, or cannot be the emulator's name.
    case addressUnusable(String, reason: String)
    /// A port cannot be listened on for another reason.
    case cannotListen(port: UInt16, reason: String)
    /// The folder or the file in it cannot be used.
    case folderUnusable(path: String, reason: String)
    /// Another user could have written the folder or a file in it.
    case fileUnsafe(path: String, reason: String, repair: String?)
    /// The database is damaged or no SQLite database, or another version wrote it.
    case databaseUnusable(path: String, reason: String)
    /// A file with users cannot be read, or one of its lines is not a user.
    case usersUnusable(path: String, line: Int?, reason: String)
    /// A policy's page template cannot be read, is too large, or has no element for the form.
    case templateUnusable(path: String, policy: String, reason: String)
    /// The folder of custom policies cannot be read, or has mistakes; each line names one.
    case policiesUnusable(path: String, lines: [String])
    /// A file of the certificate authority is missing or was changed.
    case certificateUnusable(path: String)
    /// A certificate of the user's own, or its key, cannot be served.
    case ownCertificateUnusable(path: String, reason: String)

    init(_ flaw: OwnedFile.Flaw) {
        self = .fileUnsafe(path: flaw.path, reason: flaw.why, repair: flaw.repair)
    }

    /// What failed and what to do.
    public var description: String {
        switch self {
        case .portTaken(let port):
            "Port \(port) is in use. Stop the program that listens there, or use another port; 0 picks a free one."
        case .addressUnusable(let address, let reason): "Cannot use the address \(address): \(reason)."
        case .cannotListen(let port, let reason):
            "Cannot listen on port \(port): \(reason). Use another port; 0 picks a free one."
        case .folderUnusable(let path, let reason):
            "Cannot use the emulator's folder \(path): \(reason). Make it writable, or use another folder."
        case .fileUnsafe(let path, let reason, let repair):
            "Refused to use \(path): \(reason). \(repair.map { "Run \($0)" } ?? "Use a folder of your own")."
        case .databaseUnusable(let path, let reason):
            "Cannot use the emulator's database \(path): \(reason). Remove the file to start over."
        case .usersUnusable(let path, let line, let reason):
            "Cannot read users from \(path)\(line.map { ", line \($0)" } ?? ""): \(reason)."
        case .templateUnusable(let path, let policy, let reason):
            "Cannot use the page template \(path) of policy \(policy): \(reason). Fix the file, or remove “template” from the policy."
        case .policiesUnusable(let path, let lines):
            "Cannot serve the policies of \(path):\n\(lines.joined(separator: "\n"))"
        case .certificateUnusable(let path):
            """
            \(path) was changed or removed. Restore it, or remove ca.pem in the same folder to create a new \
            certificate authority, which must be trusted again.
            """
        case .ownCertificateUnusable(let path, let reason): "Cannot serve the certificate of \(path): \(reason)."
        }
    }
}
