package import Susi

extension PoliciesFile {
    /// The built-in policies with the optional keys written out, for tests that change them.
    package static let writtenOutText =
        builtInText
        .replacing(
            "{\n  \"applications\"", with: "{\n  \"current\": \"local\",\n  \"applications\"", maxReplacements: 1
        )
        .replacing(
            "      \"apis\"",
            with: "      \"knownAuthorities\": [\"http://localhost:8480/contoso.onmicrosoft.com\"],\n      \"apis\"")
}
