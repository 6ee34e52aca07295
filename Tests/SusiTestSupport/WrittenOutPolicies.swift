package import Susi

extension PoliciesFile {
    /// The built-in policies without the one for passwords.
    package static let withoutPasswordsText = builtInText.replacing(
        ",\n        \"B2C_1_ropc\": { \"kind\": \"resourceOwner\" }", with: "")

    /// These policies with the optional keys written out, for tests that change them.
    package static let writtenOutText =
        withoutPasswordsText
        .replacing(
            "{\n  \"applications\"", with: "{\n  \"current\": \"local\",\n  \"applications\"", maxReplacements: 1
        )
        .replacing(
            "      \"apis\"",
            with: "      \"knownAuthorities\": [\"http://localhost:8480/contoso.onmicrosoft.com\"],\n      \"apis\"")
}

/// Returns policies with one application of the kind, at a path of the emulator; `more` has further members of it.
package func onlyApplication(_ kind: String, _ path: String, more: String = "") -> @Sendable (String) -> String {
    { _ in
        """
        { "applications": { "only": { "kind": "\(kind)", "authority": "http://localhost:8480/\(path)",
            "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0], \(more)
            "knownAuthorities": ["http://localhost:8480"] } } }
        """
    }
}

/// The only API of such an application: the built-in sample.
package let helloAPI = """
    "apis": { "hello": { "baseUrl": "http://localhost:8480/api/hello",
        "scopes": ["https://contoso.onmicrosoft.com/hello/demo.read"] } },
    """

/// An application's only API in a workforce tenant: Microsoft Graph.
package let graphAPI = #""apis": { "graph": { "baseUrl": "http://localhost:8480/v1.0", "scopes": ["User.Read"] } },"#
