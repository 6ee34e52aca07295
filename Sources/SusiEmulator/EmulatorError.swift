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
    /// The database is damaged, or none.
    case databaseUnusable(path: String, reason: String)
    /// A newer emulator wrote the database.
    case databaseTooNew(path: String, found: Int64, known: Int64)
    /// A file with users cannot be read, or a line of it is no user.
    case usersUnusable(path: String, line: Int?, reason: String)
    /// A policy's page template cannot be read, is too large, or has no place for the form.
    case templateUnusable(path: String, policy: String, reason: String)
    /// A file of the certificate authority is missing or holds something else.
    case certificateUnusable(path: String)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .portTaken(let port):
            "Port \(port) is taken. Stop what listens there, or take another port; port 0 takes a free one."
        case .addressUnusable(let address, let reason): "The address \(address) cannot be used: \(reason)."
        case .cannotListen(let port, let reason):
            "The emulator cannot listen on port \(port) of this machine: \(reason). Take another port; 0 takes a free one."
        case .folderUnusable(let path, let reason):
            "The emulator's folder \(path) cannot be used: \(reason). Make it writable, or name another one."
        case .databaseUnusable(let path, let reason):
            "\(path) cannot be used: \(reason). Remove the file to begin anew."
        case .databaseTooNew(let path, let found, let known):
            """
            \(path) was written by a newer emulator (schema \(found), this one knows \(known)). \
            Use the newer program, or remove the file to begin anew.
            """
        case .usersUnusable(let path, let line, let reason):
            "\(path) cannot be used\(line.map { ": line \($0)" } ?? ""): \(reason)"
        case .templateUnusable(let path, let policy, let reason):
            "The page template \(path) of policy \(policy) cannot be used: \(reason) Mend it, or give the policy none."
        case .certificateUnusable(let path):
            """
            \(path) does not hold what the emulator wrote there. Put it back, or remove ca.pem beside it for a new \
            authority, which has to be trusted anew.
            """
        }
    }
}
