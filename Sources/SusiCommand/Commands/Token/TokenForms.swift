import Susi
import SusiBase

/// An environment variable that passes a token to another program.
struct TokenVariable: Equatable {
    let name: String
    let value: String

    /// Returns the standard variables, then one variable with the token for each of `names`.
    static func all(of token: IssuedToken, names: [String] = []) -> [TokenVariable] {
        let name = token.info.kind == .id ? "SUSI_ID_TOKEN" : "SUSI_ACCESS_TOKEN"
        let end = token.info.expiresOn.map { TokenVariable("\(name)_EXPIRATION", Timestamp($0).rfc3339) }
        return [TokenVariable(name, token.secret)] + [end].compactMap(\.self)
            + names.map { TokenVariable($0, token.secret) }
    }

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// A line for a POSIX shell, quoted so that the shell expands nothing.
    var line: String { "export \(name)=\(value.shellQuoted)" }
}

/// The response of a kubectl exec plug-in (Kubernetes, client.authentication.k8s.io).
enum ExecCredential {
    private static let group = "client.authentication.k8s.io"
    private static let versions = ["v1", "v1beta1"].map { "\(group)/\($0)" }

    static func json(_ token: IssuedToken, version: String) -> JSONObject {
        let end = token.info.expiresOn.map { Timestamp($0).rfc3339 }
        return [
            "apiVersion": version, "kind": "ExecCredential",
            "status": ["token": token.secret, "expirationTimestamp": end] as JSONObject,
        ]
    }

    /// Returns the version that `request`, the value of `KUBERNETES_EXEC_INFO`, asks for. Throws if it is not supported.
    static func version(_ request: String?) throws -> String {
        guard let request else { return versions[0] }
        let asked = (try? JSONNode(parsing: request.utf8))?["apiVersion"]?.string
        guard let asked, versions.contains(asked) else {
            throw UsageError(
                "unsupported version in KUBERNETES_EXEC_INFO: \(asked ?? "none")",
                why: "supported: \(versions.joined(separator: ", "))",
                next: "set apiVersion in the exec section of the kubeconfig")
        }
        return asked
    }
}
