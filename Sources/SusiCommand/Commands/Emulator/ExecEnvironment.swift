import Susi
import SusiBase
import SusiEmulator
import SusiStartup
import SystemPackage

/// The variables of the command that `susi emulator exec` runs; those with `nil` are removed.
struct ExecEnvironment {
    private(set) var variables: [String: String?] = [:]

    /// Writes the files named by the variables into `folder`, among them the policies file with that text.
    init(_ emulator: RunningEmulator, policies: String?, _ folder: TemporaryFolder) throws {
        guard let policies,
            let application = try PoliciesFile(text: policies.utf8, source: "the emulator's policies").application(nil)
        else {
            throw SusiError(
                .invalidConfiguration, "no tenant has an application",
                why: "“applications” is missing in the tenant file",
                next: "add one; \(SuggestedCommand("emulator schema")) prints the file's format")
        }
        // Removes settings for other homes, files and stores.
        for (name, _) in HelpTopic.variables where name.hasPrefix("SUSI_") && name != "SUSI_CLOCK" {
            for name in name.split(separator: ", ") { variables[String(name)] = .some(nil) }
        }
        // Also in place of the built-in tenant, which another emulator may serve.
        for path in [folder.policies, folder.emulator.appending("policies.json")] {
            try PrivateFile.write(policies.utf8, to: path)
        }
        variables["SUSI_HOME"] = folder.path.string
        variables["SUSI_CONFIG"] = folder.policies.string
        variables["SUSI_EMULATOR_ORIGIN"] = emulator.origin
        variables["SUSI_EMULATOR_AUTHORITY"] = application.authority.spelling
        variables["SUSI_EMULATOR_POLICY"] = (application.defaultPolicy ?? application.policies.first)?.name.spelling
        variables["SUSI_EMULATOR_CLIENT_ID"] = application.clientID
        variables["SUSI_EMULATOR_ADMIN"] = emulator.adminAddress
        variables["SUSI_EMULATOR_SECRET"] = emulator.adminSecret
        if let authority = emulator.authority { try trust(authority, folder) }
        bypassProxies()
    }

    /// Leads the names of the cloud to the emulator, through the proxy at that address.
    mutating func use(_ cloud: CloudRun, proxy: String) {
        variables["SUSI_EMULATOR_PROXY"] = proxy
        for name in ["NO_PROXY", "no_proxy"] { variables[name] = variables[name]?.map(cloud.exceptions) }
        for name in ["HTTPS_PROXY", "https_proxy"] { variables[name] = proxy }
        // Plain http to other machines would pass by; the proxy refuses it.
        if cloud.isOffline {
            for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] { variables[name] = proxy }
        }
        // Node.js reads the variables only if it is told.
        variables["NODE_USE_ENV_PROXY"] = "1"
    }

    // For most libraries, the file replaces the trusted authorities, so the bundle contains the usual ones too, and
    // those that the user's variables name. Node adds the file to its own.
    private mutating func trust(_ authority: CertificateAuthority, _ folder: TemporaryFolder) throws {
        let environment = ProcessEnvironment.current
        let read = { SmallFile.read($0, limit: 16 << 20) }
        let usual = [
            environment["SSL_CERT_FILE"], "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/cert.pem",
        ].compactMap(\.self).first { read($0) != nil }
        let own = ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"].compactMap { environment[$0] }
        for (name, files) in [("certificates", Set([usual].compactMap(\.self) + own)), ("own-certificates", Set(own))] {
            let others = files.sorted().flatMap { (read($0) ?? []) + [UInt8(ascii: "\n")] }
            try PrivateFile.write(others + authority.pem.utf8, to: folder.path.appending("\(name).pem"))
        }
        for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"] {
            variables[name] = folder.path.appending("certificates.pem").string
        }
        variables["NODE_EXTRA_CA_CERTS"] = folder.path.appending("own-certificates.pem").string
        variables["SUSI_EMULATOR_CA"] = authority.path.string
    }

    // A proxy cannot reach the loopback interface of this machine.
    private mutating func bypassProxies() {
        let others = ProcessEnvironment.current["no_proxy"] ?? ProcessEnvironment.current["NO_PROXY"]
        let all = [others].compactMap(\.self) + ["localhost", "127.0.0.1", "::1"]
        for name in ["no_proxy", "NO_PROXY"] { variables[name] = all.joined(separator: ",") }
    }
}
