import Susi
import SusiBase
import SusiEmulator

/// The tenant file of a local copy: the tenant of the new policies.json, with the registrations of the other applications
/// that the files show, and a policy for tests without a browser. Its users are the emulator's usual ones.
struct LocalCopy {
    private var tenants: [TenantConfiguration]
    /// What an application needs and the files do not say.
    private(set) var missing: [String] = []

    var text: String { TenantFile.text(of: tenants) }

    init(_ draft: ApplicationDraft, of application: Application) throws {
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
        for registration in draft.registrations {
            for id in Set(registration.clientIDs.map(\.value)).sorted() { add(id, registration, draft.registrations) }
        }
    }

    // An API is the audience of tokens; a page is a client. A server needs secrets, which no file of ours has.
    private mutating func add(
        _ id: String, _ registration: TenantFacts.Registration, _ all: [TenantFacts.Registration]
    ) {
        for index in tenants.indices {
            if registration.isAPI {
                if tenants[index].apis.isEmpty { lack("the scopes of the API of \(registration.file)") }
                for api in tenants[index].apis.indices { tenants[index].apis[api].clientID = id.lowercased() }
            } else if registration.owner != nil {
                lack("the application of \(registration.file) with its secrets")
            } else {
                let addresses = all.filter { $0.isOf(id) }.flatMap(\.redirects)
                    .filter(SchemaNode.Text.redirectAddress.allows)
                if addresses.isEmpty { lack("the redirect addresses of \(registration.file)") }
                var application = RegisteredApplication(clientID: id, redirectAddresses: [])
                application[registration.isPage ? .spa : nil] = addresses
                add(application, to: &tenants[index])
            }
        }
    }

    private mutating func lack(_ what: String) {
        if !missing.contains(what) { missing.append(what) }
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
