import Susi
import SusiEmulator
import SystemPackage

extension SusiError {
    /// Explains why the emulator cannot run, or why its folder cannot be read, and what to do next. `command` is the
    /// command that failed; `place` is the line of another file that names the faulty file, if there is one.
    init(_ error: EmulatorError, in command: SuggestedCommand = SuggestedCommand("emulator run"), place: String? = nil)
    {
        let place = place.map { "\($0) names it" } ?? ""
        let suffix = place.isEmpty ? "" : "; \(place)"
        let otherPort: NextStep = "\(command.option("--port", "0"))"
        switch error {
        case .portTaken(let port):
            self.init(
                .failed, "port \(port) of this machine is in use",
                why: "another program listens on it, perhaps another emulator", next: otherPort)
        case .cannotListen(let port, let reason):
            self.init(
                .failed, "the emulator cannot listen on port \(port) of this machine", why: reason, next: otherPort)
        case .addressUnusable(let address, let reason):
            self.init(
                .invalidRequest, "the emulator cannot use the address \(address)", why: reason,
                next: "\(SuggestedCommand("help", ["emulator", "run"]))")
        case .folderUnusable(let path, let reason):
            self.init(
                .store, "the emulator's folder cannot be used", why: "\(path): \(reason)",
                next: "make it writable, or set SUSI_HOME to another folder")
        case .fileUnsafe(let path, let reason, let repair):
            self.init(refusing: path, why: reason, next: repair.map { NextStep($0) } ?? .useOwnFolder)
        case .databaseUnusable(let path, let reason):
            self.init(
                .store, "the emulator's database cannot be used", why: "\(path): \(reason)",
                next: "\(SuggestedCommand("emulator reset"))")
        case .usersUnusable(let path, let line?, let reason):
            self.init(
                .invalidConfiguration, "\(path), line \(line): \(reason)", why: place,
                next: "fix the file; \(SuggestedCommand("emulator schema")) prints its format")
        case .usersUnusable(let path, nil, let reason):
            // The same error as for every unreadable file on the command line.
            self.init(
                place.isEmpty ? .invalidRequest : .invalidConfiguration, "“\(path)” cannot be read",
                why: "\(reason)\(suffix)", next: "check the file's name and its permissions")
        case .templateUnusable(let path, let policy, let reason):
            self.init(
                .invalidConfiguration, "the page template of \(policy) cannot be used",
                why: "\(path): \(reason)\(suffix)", next: "fix the template, or leave it out")
        case .policiesUnusable(let path, let lines):
            self.init(
                .invalidConfiguration, "the custom policies of \(path) cannot be served",
                why: lines.joined(separator: "; "), next: "\(SuggestedCommand("emulator check", [path]))")
        case .certificateUnusable(let path):
            self.init(
                .store, "the emulator's certificate cannot be used",
                why: "\(path) was changed or removed",
                next: "restore it, or remove ca.pem in the same folder and trust the new certificate")
        case .ownCertificateUnusable(let path, let reason):
            self.init(
                .invalidRequest, "the certificate cannot be served", why: "\(path): \(reason)",
                next: "name PEM files with --certificate and --key, or leave both out and use --tls")
        }
    }
}
