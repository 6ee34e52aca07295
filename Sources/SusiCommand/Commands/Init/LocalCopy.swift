import Susi
import SusiBase
import SusiEmulator

/// The tenant file of a local copy: the tenant of the new policies.json, with the registrations of the other applications
/// that the files show, and a policy for tests without a browser. Its users are the emulator's usual ones.
struct LocalCopy {
    private var tenants: [TenantConfiguration]
    // The tenants of an existing file, as the emulator serves them.
    private let kept: [TenantConfiguration]
    /// What an application needs and the files do not say, and what an existing file lacks.
    private(set) var missing: [String] = []

    var text: String { TenantFile.text(of: tenants) }

    /// Makes the tenant file, or compares with an existing one. Throws if the draft or that file is invalid.
    init(_ draft: ApplicationDraft, of application: Application, _ file: TenantFile? = nil) throws {
        let base = TenantConfiguration.tenants(for: [application])
        do throws(PolicyFileError) { kept = try file?.applied(to: base) ?? [] } catch {
            throw TenantSource.explained(error)
        }
        var copy = draft
        if copy.api == nil, let scope = draft.scopes.first, let end = scope.lastIndex(of: "/") {
            let name = (try? WebAddress(String(scope[..<end]))).map(ApplicationDraft.DraftAPI.name) ?? "api"
            copy.api = .init(name: name, baseURL: .usualCopy.appending("api").appending(name))
        }
        if copy.certainKind?.traits.hasPolicies ?? false {
            copy.policies.append(.init(name: PolicyName("B2C_1_ropc"), kind: .resourceOwner))
        }
        tenants = TenantConfiguration.tenants(for: [
            try DraftFile(copy, issuer: application.authority.spelling).application
        ])
        for index in tenants.indices { tenants[index].id = draft.tenantID ?? tenants[index].id }
        // An API on this machine is the developer's own, which the emulator does not replace.
        if let base = draft.api?.baseURL, base.isLoopback {
            for index in tenants.indices where !tenants[index].apis.isEmpty { tenants[index].apis[0].address = base }
        }
        let apiIDs = draft.registrations.filter(\.isAPI).flatMap(\.clientIDs).map { $0.value.lowercased() }
        let audiences = Set(apiIDs + draft.registrations.flatMap(\.audiences).map(\.value))
        for registration in draft.registrations {
            if (registration.isAPI || !registration.audiences.isEmpty), tenants.contains(where: \.apis.isEmpty) {
                lack("the scopes of the API of \(registration.file)", unless: kept.contains { !$0.apis.isEmpty })
            }
            for id in Set(registration.clientIDs.map(\.value)).sorted() where !audiences.contains(id.lowercased()) {
                add(id, registration, draft.registrations)
            }
        }
        tenants = tenants.map { addingAudience(audiences.sorted(), to: $0) }
        for tenant in tenants where file != nil { compare(tenant, id: draft.tenantID) }
    }

    // The audience of an API is what its settings say. Of two, no file chooses one.
    private mutating func addingAudience(_ found: [String], to tenant: TenantConfiguration) -> TenantConfiguration {
        var tenant = tenant
        let audiences = found.filter { !tenant.kind.traits.clientIDIsGUID || $0.isGUID }
        let choice = audiences.isEmpty ? "" : ": \(audiences.joined(separator: " or "))"
        for index in tenant.apis.indices where tenant.apis[index].knownID == nil {
            let api = tenant.apis[index]
            let isThere = kept.flatMap(\.apis).contains { $0.resource == api.resource && $0.knownID != nil }
            if audiences.count == 1 { tenant.apis[index].clientID = audiences[0] }
            lack("clientId of the API \(api.name)\(choice)", unless: isThere || audiences.count == 1)
        }
        return tenant
    }

    // A page is a client. A server needs secrets, which no file of ours has.
    private mutating func add(
        _ id: String, _ registration: TenantFacts.Registration, _ all: [TenantFacts.Registration]
    ) {
        let known = kept.lazy.compactMap { $0.application(id) }.first
        for index in tenants.indices {
            if registration.owner != nil {
                let isThere = known?.secrets.isEmpty == false
                lack("the application of \(registration.file) with its secrets", unless: isThere)
            } else {
                let addresses = all.filter { $0.isOf(id) }.flatMap(\.redirects)
                    .filter(SchemaNode.Text.redirectAddress.allows)
                let isThere = known?.redirectAddresses.isEmpty == false || !addresses.isEmpty
                lack("the redirect addresses of \(registration.file)", unless: isThere)
                var application = RegisteredApplication(clientID: id, redirectAddresses: [])
                application[registration.isPage ? .spa : nil] = addresses
                add(application, to: &tenants[index])
            }
        }
    }

    private mutating func lack(_ what: String, unless isThere: Bool) {
        if !isThere, !missing.contains(what) { missing.append(what) }
    }

    // Notes what the files say and an existing tenant file does not have.
    private mutating func compare(_ tenant: TenantConfiguration, id: String?) {
        guard let own = kept.first(where: { $0.isSame(as: tenant) }) else {
            return missing.append("the tenant \(tenant.name)")
        }
        if let id, id != own.id { missing.append("id \(id)") }
        for policy in tenant.policies where !own.policies.contains(where: { $0.name == policy.name }) {
            missing.append("the policy \(policy.name)")
        }
        for application in tenant.applications {
            let known = own.application(application.clientID)
            let lacked = application.redirectAddresses.filter { known?.redirectAddresses.contains($0) != true }
            guard known == nil || !lacked.isEmpty else { continue }
            let addresses = lacked.isEmpty ? "" : " with \(lacked.joined(separator: ", "))"
            missing.append("the application \(application.clientID)\(addresses)")
        }
        for api in tenant.apis {
            let known = own.apis.first { $0.resource == api.resource }
            let lacked = api.fullScopes.filter { known?.fullScopes.contains($0) != true }
            missing += lacked.map { "the scope \($0) of the API \(api.name)" }
            if let id = api.clientID, known?.id != id { missing.append("clientId \(id) of the API \(api.name)") }
        }
    }

    private func add(_ application: RegisteredApplication, to tenant: inout TenantConfiguration) {
        let id = application.clientID.lowercased()
        guard let same = tenant.applications.firstIndex(where: { $0.clientID.lowercased() == id }) else {
            return tenant.applications.append(application)
        }
        for address in application.redirectAddresses {
            let type = application.redirectTypes[address]
            if tenant.applications[same].redirectAddresses.contains(address) {
                tenant.applications[same].redirectTypes[address] = type
            } else {
                tenant.applications[same][type] += [address]
            }
        }
    }
}
