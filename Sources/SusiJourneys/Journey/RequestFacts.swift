/// What a journey knows of the request and its server. It is made for each request and never stored: it has the
/// password of a token request, and the keys of the tenant.
package struct RequestFacts: Sendable {
    /// The parameters of the request by name: those of OpenID Connect, such as `login_hint`, and any others
    /// (`{OIDC:…}` and `{OAUTH-KV:…}`, spec §2.5). Names in lower case.
    package var parameters: [String: String] = [:]
    /// The language of the pages (RFC 5646), for example `de-AT`.
    package var language = "en"
    package var ipAddress = ""
    package var hostName = ""
    package var correlationID = ""
    /// The time of the request, in seconds since 1970.
    package var now: Double
    /// The name of the tenant, for example `contoso.onmicrosoft.com`.
    package var tenant: String
    package var tenantObjectID = ""
    /// Whether the user asked to stay signed in.
    package var keepsSignedIn = false
    /// The secrets of the tenant's policy keys by name in lower case, for example `b2c_1a_restkey`.
    package var policyKeys: [String: String] = [:]
    package var random = RandomSource { UInt64.random(in: .min ... .max) }
    /// SHA-256 (FIPS 180-4): a target of values has no cryptography of its own.
    package var sha256: @Sendable ([UInt8]) -> [UInt8]

    package init(tenant: String, now: Double, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        (self.tenant, self.now, self.sha256) = (tenant, now, sha256)
    }
}

/// Random numbers of a source that tests replace.
package struct RandomSource: RandomNumberGenerator, Sendable {
    private let source: @Sendable () -> UInt64

    package init(_ source: @escaping @Sendable () -> UInt64) { self.source = source }

    package func next() -> UInt64 { source() }
}
