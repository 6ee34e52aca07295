import Susi
import SusiBase
import SusiEmulator

/// The tenant file of a local copy: the tenant of the new policies.json, with the registrations of the other applications
/// that the files show, and a policy for tests without a browser. Its users are the emulator's usual ones.
struct LocalCopy {
    static let usualName = TenantFile.usualName
    /// The client ID of susi in a copy whose files have none for it. It begins with "SUSI" in ASCII.
    static let clientID = "53555349-0000-4000-8000-000000000001"
    private var tenant: TenantConfiguration
    // The tenant of an existing file, as the emulator serves it.
    private let kept: TenantConfiguration?
    /// What an application needs and the files do not say, and what an existing file lacks.
    private(set) var missing: [String] = []

    var text: String { TenantFile.text(of: [tenant]) }

    /// Makes the tenant file, or compares with an existing one. Throws if the draft or that file is invalid.
    init(_ values: DraftValues, of application: Application, _ file: TenantFile? = nil) throws {
        var copy = values
        if copy.api == nil, let scope = values.scopes.first, let end = scope.lastIndex(of: "/") {
            let name = (try? WebAddress(String(scope[..<end]))).map(ApplicationDraft.DraftAPI.name) ?? "api"
            copy.api = .init(name: name, baseURL: .usualCopy.appending("api").appending(name))
        }
        var made = TenantConfiguration(
            application: try DraftFile(copy, issuer: application.authority.spelling).application.copied(to: .usualCopy))
        if made.id == values.tenantID, let name = values.tenantName, AuthorityKind.isTenantName(name) {
            made.name = name
        }
        made.id = values.tenantID ?? made.id
        // An API on this machine is the developer's own, which the emulator does not replace.
        if let base = values.api?.baseURL, base.isLoopback, !made.apis.isEmpty { made.apis[0].address = base }
        tenant = made
        do throws(PolicyFileError) {
            let served = try file?.applied(to: TenantConfiguration.tenants(for: [application]))
            kept = served?.first { $0.isSame(as: made) }
        } catch { throw TenantSource.explained(error) }
        add(values.registrations)
        if file != nil { compare(id: values.tenantID) }
    }

    private mutating func add(_ registrations: [SourceFacts]) {
        let ofAPIs = registrations.filter(\.isAPI).flatMap(\.clientIDs).map { $0.value.lowercased() }
        let audiences = Set(ofAPIs + registrations.flatMap(\.audiences).map(\.value))
        for registration in registrations {
            if registration.isAPI || !registration.audiences.isEmpty {
                let isThere = !(tenant.apis + (kept?.apis ?? [])).isEmpty
                lack("the scopes of the API of \(registration.file): --scope SCOPE, --api NAME=URL", unless: isThere)
            }
            for id in Set(registration.clientIDs.map(\.value)).sorted() where !audiences.contains(id.lowercased()) {
                add(id, registration, registrations)
            }
        }
        addAudience(audiences.filter { !tenant.kind.traits.clientIDIsGUID || $0.isGUID }.sorted())
    }

    // The audience of an API is what its settings say. Of two, no file chooses one.
    private mutating func addAudience(_ audiences: [String]) {
        let choice = audiences.isEmpty ? "" : ": \(audiences.joined(separator: " or "))"
        for (index, api) in tenant.apis.enumerated() where api.knownID == nil {
            let known = kept?.apis.first { $0.resource == api.resource }?.knownID
            if audiences.count == 1 { tenant.apis[index].clientID = audiences[0] }
            lack("clientId of the API \(api.name)\(choice)", unless: known != nil || audiences.count == 1)
        }
    }

    // A page is a client. A server needs secrets, which no file of ours has.
    private mutating func add(
        _ id: String, _ registration: SourceFacts, _ all: [SourceFacts]
    ) {
        let known = kept?.application(id)
        guard registration.owner == nil else {
            let isThere = known?.secrets.isEmpty == false
            return lack("the application of \(registration.file) with its secrets", unless: isThere)
        }
        let addresses = all.filter { $0.isOf(id) }.flatMap(\.redirects).filter(SchemaNode.Text.redirectAddress.allows)
        let isThere = !(addresses + (known?.redirectAddresses ?? [])).isEmpty
        lack("the redirect addresses of \(registration.file)", unless: isThere)
        var application = RegisteredApplication(clientID: id, redirectAddresses: [])
        application[registration.isPage ? .spa : nil] = addresses
        tenant.take(application)
    }

    private mutating func lack(_ what: String, unless isThere: Bool) {
        if !isThere, !missing.contains(what) { missing.append(what) }
    }

    // Notes what the files say and an existing tenant file does not have.
    private mutating func compare(id: String?) {
        guard let kept else { return missing.append("the tenant \(tenant.name)") }
        if let id, id != kept.id { missing.append("id \(id)") }
        for policy in tenant.policies {
            lack("the policy \(policy.name)", unless: kept.policies.contains { $0.name == policy.name })
        }
        for application in tenant.applications {
            let known = kept.application(application.clientID)
            let lacked = application.redirectAddresses.filter { known?.redirectAddresses.contains($0) != true }
            let addresses = lacked.isEmpty ? "" : " with \(lacked.joined(separator: ", "))"
            lack("the application \(application.clientID)\(addresses)", unless: known != nil && lacked.isEmpty)
        }
        for api in tenant.apis {
            let known = kept.apis.first { $0.resource == api.resource }
            let lacked = api.fullScopes.filter { known?.fullScopes.contains($0) != true }
            missing += lacked.map { "the scope \($0) of the API \(api.name)" }
            if let id = api.clientID { lack("clientId \(id) of the API \(api.name)", unless: known?.id == id) }
        }
    }
}
