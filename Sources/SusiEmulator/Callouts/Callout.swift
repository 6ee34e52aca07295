import NIOSSL
import SusiPolicies
package import SystemPackage

/// The developer's code that a policy calls, and what a call needs.
package struct Callout: Hashable, Sendable {
    /// What makes the call: the feature's name in Azure AD B2C or External ID.
    package enum Group: String, CaseIterable, Sendable {
        case apiConnectors, restTechnicalProfiles, authenticationExtensions
    }

    /// The place of a step in the journey.
    enum Place: Sendable { case beforeAttributes, afterAttributes, password, beforeToken }

    /// A step by its name in the service.
    package enum Step: String, CaseIterable, Sendable {
        case postFederationSignup, postAttributeCollection, preTokenIssuance
        case validation, claimsExchange
        case attributeCollectionStart, attributeCollectionSubmit, passwordSubmit, tokenIssuanceStart
    }

    /// Its address, with a query if it needs one.
    package var url = ""
    /// The name and password of HTTP Basic.
    package var username: String?
    package var password: String?
    /// A PEM file with the certificate and the key by which the emulator authenticates itself.
    package var clientCertificate: FilePath?
    /// The claims that a technical profile sends and accepts, with their names in the code.
    package var inputClaims: [String: String] = [:]
    package var outputClaims: [String: String] = [:]
    /// The client ID of the code's registration, the audience of the emulator's bearer token.
    package var appID: String?
    /// A PEM file with the certificate for which passwords are encrypted.
    package var certificate: FilePath?
    /// The attribute that is true while a user's password has not been moved.
    package var migrationProperty: String?
    /// How long it may take, in seconds; nil for the limit of the service.
    package var timeLimit: Int64?

    package init() {}

    /// The certificate for which passwords are encrypted; nil without one.
    func passwordCertificate() throws -> NIOSSLCertificate? {
        try certificate.flatMap { try NIOSSLCertificate.fromPEMFile($0.string).first }
    }
}

extension TenantConfiguration {
    /// Returns whether the emulator may send a request to an address: on this machine, or on a host that the tenant allows.
    func mayCall(_ text: String) -> Bool {
        guard let address = Callout.address(text) else { return false }
        return address.isLoopback || allowedHosts.contains { $0.lowercased() == address.host }
    }

    /// The settings of TLS for requests to the developer's code.
    func tls(presenting certificate: FilePath? = nil) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.additionalTrustRoots = trustedCertificates.map { [.file($0.string)] } ?? []
        guard let path = certificate?.string else { return tls }
        tls.certificateChain = try NIOSSLCertificate.fromPEMFile(path).map { .certificate($0) }
        tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: path, format: .pem))
        return tls
    }
}

extension Callout.Step {
    /// What calls the code, where in the journey, and when.
    var row: (group: Callout.Group, place: Callout.Place, meaning: String) {
        switch self {
        case .postFederationSignup: (.apiConnectors, .beforeAttributes, "after a new user's sign-in elsewhere")
        case .postAttributeCollection: (.apiConnectors, .afterAttributes, "before a user is created")
        case .preTokenIssuance: (.apiConnectors, .beforeToken, "before the tokens of a sign-in are issued")
        case .validation: (.restTechnicalProfiles, .afterAttributes, "before a user is created")
        case .claimsExchange: (.restTechnicalProfiles, .beforeToken, "before the tokens of a sign-in are issued")
        case .attributeCollectionStart: (.authenticationExtensions, .beforeAttributes, "before a sign-up's page")
        case .attributeCollectionSubmit: (.authenticationExtensions, .afterAttributes, "before a user is created")
        case .passwordSubmit: (.authenticationExtensions, .password, "for a password that is not the stored one")
        case .tokenIssuanceStart: (.authenticationExtensions, .beforeToken, "before a sign-in's tokens are issued")
        }
    }

    var group: Callout.Group { row.group }
    var place: Callout.Place { row.place }
    /// The name in requests and errors of Azure AD B2C.
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
