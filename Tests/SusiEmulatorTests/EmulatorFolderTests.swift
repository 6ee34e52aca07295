import Foundation
import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// The data of stopped emulators in a folder: export and reset.
@Suite("Emulator folder", .inTurn, .timeLimit(.minutes(5)))
struct EmulatorFolderTests {
    private static func users(_ fixture: EmulatorFixture) throws -> [User] {
        try fixture.database.users()
    }

    @Test("shares one secret between emulators that start at once, and replaces a malformed one once")
    func sharesSecret() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("admin-secret")
            for round in 1...3 {
                let secrets = try await withThrowingTaskGroup { group in
                    for _ in 1...12 {
                        group.addTask {
                            // A separate connection, as in another process.
                            try AdminSecret(folder: folder, file: try DatabaseFile(folder: folder)).text
                        }
                    }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                let kept = try path.text()
                #expect(secrets == [kept], "\(round)")
                let files = try FileManager.default.contentsOfDirectory(atPath: folder.string)
                #expect(files.filter { $0.hasPrefix("admin-secret") } == ["admin-secret"])
                if round.isMultiple(of: 2) {
                    try path.write("spoilt")
                } else {
                    try path.remove()
                }
            }
        }
    }

    @Test("exports everything of a tenant except the signing keys")
    func exportsEverythingButKeys() async throws {
        try await withTemporaryFolder { folder in
            var tenants = Everything.tenants
            // These settings name files that the test does not have.
            (tenants[0].usersFile, tenants[0].policyFolder) = (nil, nil)
            tenants[0].settings[PolicyName("B2C_1_susi")]?.template = nil
            tenants[2] = tenants[2].sharing(tenants[0])
            var exports: [String] = []
            var keys: [String] = []
            for name in ["first", "second"] {
                let path = folder.appending(name)
                let clock = EmulatorClock { EmulatorFixture.start }
                try await withEmulator(tenants, folder: path, clock: clock) { emulator in
                    keys += try emulator.site.tenants.map { "\(try $0.keyRings[0].published().map(\.id))" }
                }
                let now = try #require(try EmulatorFolder(path)).withUsers(tenants)
                exports.append(TenantFile.text(of: now))
                tenants = try TenantFile(text: exports[exports.count - 1].utf8, source: name, folder: "/").tenants()
                #expect(tenants == now)
            }
            #expect(exports[0] == exports[1])
            #expect(Set(keys).count == keys.count)
            #expect(!exports[0].contains("Ida-Ida-1") && !exports[0].contains("PRIVATE"))
        }
    }

    @Test("removes users, sessions and grants, keeps the keys, and seeds again at the next start")
    func resetsAllButKeys() async throws {
        try await withTemporaryFolder { folder in
            #expect(try EmulatorFolder(folder) == nil)
            var refresh = ""
            var keys: [[String: JSON]] = []
            var tenant = try tenantOfTests()
            tenant.algorithm = .rs256
            tenant.users = [User.standard[0]]
            try await withFixture(folder: folder, tenants: [tenant]) { fixture in
                let redirect = try await fixture.signIn(fixture.browser(), as: "ana@contoso.example")
                refresh = try #require(
                    try await fixture.redeem(redirect.redirect["code"]).json["refresh_token"]?.string)
                keys = try fixture.emulator.site.tenants[0].keyRings[0].published().map(\.certificateMembers)
            }
            try EmulatorFolder(folder)?.reset()
            let emptied = try #require(try EmulatorFolder(folder)).withUsers([tenant])
            #expect(emptied[0].users.isEmpty)
            try await withFixture(folder: folder, tenants: [tenant]) { fixture in
                let (found, published) = (
                    try Self.users(fixture),
                    try fixture.emulator.site.tenants[0].keyRings[0].published().map(\.certificateMembers)
                )
                #expect(found.map(\.email) == ["ana@contoso.example"])
                // With their certificates.
                #expect(published == keys && keys.allSatisfy { $0["x5c"] != nil })
                try await fixture.refresh(refresh).expecting(400)
            }
        }
    }

    @Test("writes a policies.json for each kind that susi reads and whose addresses are served")
    func writesPolicies() async throws {
        let tenants = [try tenantOfTests(), Kinds.external, Kinds.entra, Kinds.openid]
        try await withFixture(tenants: tenants) { fixture in
            let text = try #require(fixture.emulator.policies)
            let file = try PoliciesFile(text: text.utf8, source: "policies")
            #expect(file.applications.map(\.name) == ["contoso", "fabrikam", "tailspin", "login"])
            #expect(file.applications.map(\.kind) == [.b2c, .external, .entra, .openid])
            #expect(file.applications[0].redirectPorts == [8_400, 8_401] && file.applications[1].redirectPorts == [0])
            for application in file.applications {
                let policy = try #require(application.policies.first)
                let authority = application.authority(for: policy)
                let metadata = authority.discovery
                let response = try await fixture.browser().get("\(metadata)")
                #expect(response.status == 200, "\(metadata)")
                for api in application.apis {
                    let status = try await fixture.browser().get("\(api.baseURL)").status
                    #expect(status == 401, "\(api.baseURL)")
                }
            }
        }
    }

    @Test("gives applications of one tenant unique names and a default policy; writes no file without applications")
    func namesApplications() throws {
        var tenant = try tenantOfTests()
        tenant.applications.append(RegisteredApplication(clientID: "two", redirectAddresses: ["app://back"]))
        let text = try #require(TenantConfiguration.policies(of: [tenant], at: "http://localhost:1"))
        let file = try PoliciesFile(text: text.utf8, source: "policies")
        #expect(file.applications.map(\.name) == ["contoso", "contoso-2"] && file.current == "contoso")
        #expect(file.applications[1].redirectPorts == [0])
        // susi is neither a page nor a server.
        let addresses = tenant.applications[0].redirectAddresses
        tenant.applications[0][nil] = []
        tenant.applications[0][.spa] = addresses
        let native = try #require(TenantConfiguration.policies(of: [tenant], at: "http://localhost:1"))
        let offered = try PoliciesFile(text: native.utf8, source: "policies").applications
        #expect(offered.map(\.clientID) == ["two", EmulatorFixture.client] && offered[1].redirectPorts == [0])
        tenant.policies = ["B2C_1_a", "B2C_1_b"].map { Policy(name: PolicyName($0), kind: .signUpOrSignIn) }
        let unmarked = try #require(TenantConfiguration.policies(of: [tenant], at: "http://localhost:1"))
        let first = try PoliciesFile(text: unmarked.utf8, source: "policies").applications.first
        #expect(first?.defaultPolicy?.name == PolicyName("B2C_1_a"))
        // The host of the first address on this machine, with its ports.
        tenant.applications[0][nil] = ["http://127.0.0.1:8401/", "http://localhost:8402/", "http://127.0.0.1:8403/"]
        let numeric = try #require(TenantConfiguration.policies(of: [tenant], at: "http://localhost:1"))
        let hosted = try PoliciesFile(text: numeric.utf8, source: "policies").applications.first
        #expect(hosted?.redirectHost == .ipv4 && hosted?.redirectPorts == [8401, 8403])
        tenant.applications = []
        #expect(TenantConfiguration.policies(of: [tenant], at: "http://localhost:1") == nil)
    }
}
