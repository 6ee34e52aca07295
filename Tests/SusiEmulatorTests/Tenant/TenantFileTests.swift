import Foundation
import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// The tenant file: reading returns what was written, and mistakes name their line.
@Suite("Tenant file", .timeLimit(.minutes(5)))
struct TenantFileTests {
    @Test("an application at an address for many tenants joins the first tenant of the file", arguments: [0, 1])
    func joinsFirstTenantOfFile(position: Int) throws {
        let policies = """
            { "applications": { "work": {
                "kind": "entra", "authority": "http://localhost:8480/common",
                "clientId": "\(EmulatorFixture.client)", "redirectPorts": [8400],
                "apis": { "graph": { "baseUrl": "http://localhost:8480/v1.0", "scopes": ["User.Read"] } } } } }
            """
        let applications = try PoliciesFile(text: policies.utf8, source: "the test's policies").applications
        let names = ["home.onmicrosoft.com", "fabrikam.onmicrosoft.com"]
        let order = position == 0 ? [0, 1] : [1, 0]
        let described = order.map { "\"\(names[$0])\": { \"kind\": \"entra\" }" }
        let text = "{ \"tenants\": { \(described.joined(separator: ",")) } }"
        let file = try TenantFile(text: text.utf8, source: "the test's file", folder: "/")
        let served = try file.applied(to: TenantConfiguration.tenants(for: applications))
        #expect(served.map(\.name) == order.map { names[$0] })
        #expect(served.map { $0.applications.map(\.clientID) } == [[EmulatorFixture.client], []])
    }

    private static func read(_ text: String) throws -> [TenantConfiguration] {
        try TenantFile(text: text.utf8, source: "tenants.json", folder: "/folder").tenants()
    }

    @Test(
        "an API without a path leaves the tenants their addresses",
        arguments: ["/", "https://api.example", "http://localhost:8000/"])
    func keepsAddressesOfTenants(base: String) throws {
        let api = #""apis": { "todo": { "baseUrl": "\#(base)", "scopes": ["https://a/todo/read"] } }"#
        let read = try Self.read(#"{ "tenants": { "a": { "kind": "external", \#(api) } } }"#).first?.apis.first
        #expect(read?.rest(of: "/a/v2.0/.well-known/openid-configuration") == nil && read?.rest(of: "/api/todo") == "")
    }

    @Test("gives one address an object ID of its own in each tenant, and no name that the file does not have")
    func derivesObjectIDPerTenant() throws {
        let users = #""users": [{ "email": "ana@contoso.example" }]"#
        let text = #"{ "tenants": { "a": { "kind": "external", \#(users) }, "b": { "kind": "entra", \#(users) } } }"#
        let anas = try Self.read(text).flatMap(\.users)
        #expect(anas.count == 2 && anas[0].objectID != anas[1].objectID)
        #expect(anas[0].displayName == "ana" && anas[0].givenName.isEmpty)
    }

    @Test("reads everything of a tenant that it writes")
    func readsWhatItWrites() throws {
        let all = Everything.tenants
        let text = TenantFile.text(of: all)
        #expect(try Self.read(text) == all, "\(text)")
        #expect(TenantFile.text(of: try Self.read(text)) == text)
    }

    @Test("reads the tenants of each kind that it writes")
    func readsEachKind() throws {
        var all = [try TenantConfiguration.builtIn(), Kinds.external, Kinds.entra, Kinds.openid]
        let read = try Self.read(TenantFile.text(of: all))
        // In kinds without policies, the file has one policy, which code may omit.
        for index in all.indices.dropFirst() { all[index].policies = read[index].policies }
        #expect(read == all)
        // A client without a file knows every policy of the tenant.
        #expect(try PoliciesFile.builtIn().applications[0].policies == TenantConfiguration.builtIn().policies)
    }

    @Test("has a sample that differs from the defaults in every property")
    func hasCompleteSample() throws {
        let sample = Everything.tenants[0]
        let usual = TenantConfiguration(kind: sample.kind, name: "contoso.onmicrosoft.com")
        // This kind has no user consent, no shared users and no limit of groups; other samples set them. A file contains neither `isUnnamed` nor
        // `copyOf`.
        #expect(same(sample, usual) == ["kind", "userConsent", "usersOf", "isUnnamed", "copyOf", "groupLimit"])
        #expect(!Everything.tenants[1].userConsent.isEmpty && Everything.tenants[2].usersOf != nil)
        #expect(Everything.tenants[2].groupLimit != usual.groupLimit)
        let settings = try #require(sample.settings[PolicyName("B2C_1_susi")])
        // Those that the files of a custom policy set.
        #expect(same(settings, PolicySettings()) == ["issuerForm", "numbersAsStrings", "journeyLifetimes"])
        #expect(same(settings.session, PolicySettings.Session()).isEmpty)
        #expect(same(sample.lifetimes, Lifetimes()).isEmpty)
        let attribute = try #require(settings.attributes?.first)
        #expect(same(attribute, PolicySettings.Attribute("")).isEmpty)
        let empty = User(objectID: "", password: User.usualPassword)
        // A lock is not written: it ends by itself.
        #expect(same(sample.users[0], empty) == ["passwordHash", "identityProvider", "lockedUntil"])
        #expect(same(sample.users[1], empty).isDisjoint(with: ["passwordHash"]))
        #expect(same(sample.users[2], empty).isDisjoint(with: ["identityProvider"]))
        let application = RegisteredApplication(clientID: "", redirectAddresses: [])
        #expect(same(sample.applications[0], application).isEmpty)
    }

    // Returns the properties that are equal in both values.
    private func same<T>(_ left: T, _ right: T) -> Set<String> {
        let pairs = zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children)
        return Set(pairs.filter { "\($0.value)" == "\($1.value)" }.compactMap(\.0.label))
    }

    @Test func writesKeysOfSchema() throws {
        let schema = try JSONNode(parsing: TenantFile.schema().utf8)
        let text = try JSONNode(parsing: TenantFile.text(of: Everything.tenants).utf8)
        let missing = described(schema).subtracting(written(text, schema)).subtracting(["$schema"])
        #expect(missing.isEmpty, "Support/Everything.swift has no value of \(missing)")
    }

    @Test("documents every key, with a valid example")
    func documentsEveryKey() throws {
        let path = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
            .removingLastComponent()
            .appending("Sources/SusiEmulator/SusiEmulator.docc/TenantFiles.md")
        let text = try #require(try path.text().components(separatedBy: "\n## Admin API\n").first)
        let start = try #require(text.range(of: "```json\n")).upperBound
        let example = try #require(text[start...].components(separatedBy: "```").first)
        #expect(try Self.read(example).count == 1)
        let names = described(try JSONNode(parsing: TenantFile.schema().utf8)).compactMap {
            $0.split(separator: ".").last
        }
        for name in Set(names) where !["*", "$schema"].contains(name) {
            let isThere = text.contains("`\(name)`") || example.contains("\"\(name)\"")
            #expect(isThere, "TenantFiles.md does not describe \(name)")
        }
    }

    // Returns the paths of all keys of a schema; “*” stands for names that the user chooses and for list indexes.
    private func described(_ schema: JSONNode) -> Set<String> {
        let own = schema["properties"]?.members ?? []
        let inner = schema["items"] ?? (own.isEmpty ? schema["additionalProperties"] : nil)
        var ways = Set(own.flatMap { member in [member.name] + described(member.node).map { "\(member.name).\($0)" } })
        if let inner, inner.isObject { ways.formUnion(described(inner).map { "*.\($0)" }) }
        return ways
    }

    private func written(_ node: JSONNode, _ schema: JSONNode) -> Set<String> {
        if let elements = node.array {
            guard let inner = schema["items"] else { return [] }
            return Set(elements.flatMap { written($0, inner) }.map { "*.\($0)" })
        }
        let properties = schema["properties"]
        return Set(
            node.members.flatMap { member -> [String] in
                if let inner = properties?[member.name] {
                    return [member.name] + written(member.node, inner).map { "\(member.name).\($0)" }
                }
                guard let inner = schema["additionalProperties"], inner.isObject else { return [] }
                return written(member.node, inner).map { "*.\($0)" }
            })
    }

    @Test("omits defaults, and writes a short object on one line")
    func omitsDefaults() throws {
        var tenant = TenantConfiguration(
            policies: [Policy(name: PolicyName("B2C_1_susi"), kind: .signUpOrSignIn)],
            applications: [RegisteredApplication(clientID: "one", redirectAddresses: ["http://localhost:8400/"])])
        tenant.settings[PolicyName("B2C_1_susi")] = PolicySettings()
        tenant.lifetimes.accessToken = 300
        #expect(
            TenantFile.text(of: [tenant]) == """
                {
                  "tenants": {
                    "contoso.onmicrosoft.com": {
                      "kind": "b2c",
                      "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },
                      "applications": { "one": { "redirectUris": ["http://localhost:8400/"] } },
                      "lifetimes": { "accessToken": "5m" }
                    }
                  }
                }

                """)
    }

    @Test("resolves paths relative to the file's folder")
    func resolvesPaths() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("tenants.json")
            let text = #"{"tenants":{"a":{"kind":"external","usersFile":"more/users.jsonl"}}}"#
            try path.write(text)
            #expect(try TenantFile(path: path).tenants()[0].usersFile == folder.appending("more/users.jsonl"))
            let whole = text.replacing("more/", with: "/more/")
            try path.write(whole)
            #expect(try TenantFile(path: path).tenants()[0].usersFile == "/more/users.jsonl")
            let absent = #expect(throws: PolicyFileError.self) { try TenantFile(path: folder.appending("none")) }
            #expect(absent?.isUnreadable == true)
        }
    }

    @Test("replaces whole values of other tenants and keeps the rest")
    func replacesWholeValues() throws {
        let base = [try TenantConfiguration.builtIn(), Kinds.external]
        let text = """
            { "tenants": {
                "CONTOSO.onmicrosoft.com": { "kind": "b2c", "users": [], "lifetimes": { "code": "1m" } },
                "new.onmicrosoft.com": { "kind": "external" }
            } }
            """
        let file = try TenantFile(text: text.utf8, source: "tenants.json", folder: "/folder")
        let all = try file.applied(to: base)
        #expect(all.map(\.name) == ["contoso.onmicrosoft.com", "fabrikam.onmicrosoft.com", "new.onmicrosoft.com"])
        #expect(all[0].users.isEmpty && all[0].lifetimes == Lifetimes(code: 60))
        #expect(all[0].policies == base[0].policies && all[0].applications == base[0].applications)
        #expect(all[1] == base[1])
        #expect(try file.tenants(over: base).map(\.id) == [all[0].id, all[2].id])
        // Without the base, the file is incomplete.
        let error = #expect(throws: PolicyFileError.self) { try file.tenants() }
        #expect(error?.key == "tenants.CONTOSO.onmicrosoft.com" && error?.problem == "“policies” is missing")
        // The id identifies the same tenant, whatever its name.
        let other = #"{"tenants":{"x":{"kind":"b2c","id":"\#(base[0].id)","numbersAsStrings":true}}}"#
        let renamed = try TenantFile(text: other.utf8, source: "tenants.json", folder: "/").applied(to: base)
        #expect(renamed.count == 2 && renamed[0].numbersAsStrings && renamed[0].name == base[0].name)
    }

    @Test("refuses an empty secret, wrong redirect addresses, and user consent for b2c")
    func refusesUnsafeApplication() throws {
        let application = { (text: String) in #"{"tenants":{"a":{"kind":"external","applications":{"one":\#(text)}}}}"#
        }
        for (text, words) in [
            (application(#"{"secrets":[""]}"#), "a secret of at least one character"),
            (application(#"{"redirectUris":["JavaScript:alert(1)"]}"#), "a whole redirect address"),
            (application(#"{"redirectUris":["a:/b"],"spa":["a:/b"]}"#), "duplicate redirect address “a:/b”"),
            (
                #"{"tenants":{"a":{"kind":"openid","applications":{"one":{"web":["a:/b"]}}}}}"#,
                "not supported for the kind “openid”; expected “redirectUris”"
            ),
            (
                #"{"tenants":{"a":{"kind":"b2c","policies":{"B2C_1_a":{"kind":"signUpOrSignIn"}},"userConsent":["x/y"]}}}"#,
                "not supported for the kind “b2c”"
            ),
            (
                #"{"tenants":{"a":{"kind":"entra","users":[{"userName":"yan"}]}}}"#,
                "no policy of the tenant accepts a user name"
            ),
            (
                #"{"tenants":{"a":{"kind":"b2c","policies":{"p":{"kind":"signUpOrSignIn"}},"users":[{"email":"a@b.example"},{"userName":"yan"}]}}}"#,
                "“tenants.a.users.1”: no policy of the tenant accepts a user name"
            ),
        ] {
            let error = try #require(throws: PolicyFileError.self) { try Self.read(text) }
            #expect(error.description.contains(words), "\(error)")
        }
        _ = try Self.read(application(#"{"secrets":["x"],"redirectUris":["app.example:/back"]}"#))
    }

    @Test("reports each mistake with its line, its key and what was expected", arguments: TenantMistake.all)
    func reportsMistakes(_ mistake: TenantMistake) throws {
        let error = try #require(throws: PolicyFileError.self) { try Self.read(try mistake.text()) }
        #expect(error.line == mistake.line, "\(error)")
        #expect(error.key == mistake.key, "\(error)")
        #expect(error.description.contains(mistake.words), "\(error)")
    }

    @Test func readsOrRefusesDamagedFile() throws {
        let right = Array(TenantFile.text(of: Everything.tenants).utf8)
        let seed = SeededNumbers.seed
        var numbers = SeededNumbers(seed: seed)
        let bytes = Array(#"{}[]":,\0a-1.e "#.utf8)
        var (taken, refused) = (0, 0)
        for _ in 0..<300 {
            var text = right
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let place = Int.random(in: 0..<text.count, using: &numbers)
                switch Int.random(in: 0...2, using: &numbers) {
                case 0: text.remove(at: place)
                case 1: text[place] = bytes[Int.random(in: 0..<bytes.count, using: &numbers)]
                default: text.removeSubrange(place..<min(text.count, place + 40))
                }
            }
            do throws(PolicyFileError) {
                _ = try TenantFile(text: text, source: "tenants.json", folder: "/").tenants()
                taken += 1
            } catch {
                refused += 1
                #expect(error.line ?? 0 >= 1, "seed \(seed): \(error)")
            }
        }
        #expect(taken + refused == 300 && refused > 100, "seed \(seed)")
    }

    @Test(
        "agrees with another program that checks files by the schema",
        .enabled("python3 with jsonschema is missing", SchemaWitness.isWanted))
    func agreesWithSchemaValidator() async throws {
        typealias Case = SchemaWitness.Case
        let cases =
            [
                Case("all", TenantFile.text(of: Everything.tenants), isRight: true),
                Case("right", TenantMistake.correct, isRight: true),
            ]
            + (try TenantMistake.all.enumerated().filter(\.element.isInSchema).map { index, mistake in
                Case("\(index)", try mistake.text(), isRight: false)
            })
        #expect(try await SchemaWitness.disagreements(on: cases, schema: TenantFile.schema()).isEmpty)
    }

    @Test("the audience of an API is its client ID, the GUID at the end of its resource, or made from it")
    func namesAudience() {
        let guid = "9c1b7a11-5c3d-4a2f-8d5e-1f2a3b4c5d6e"
        for resource in ["api://\(guid)", "https://contoso.onmicrosoft.com/\(guid)", guid] {
            #expect(RegisteredAPI(name: "a", resource: resource, scopes: ["read"], path: "/").id == guid)
        }
        var api = RegisteredAPI(name: "a", resource: "api://\(guid)/x", scopes: ["read"], path: "/")
        #expect(api.id == derivedGUID("api://\(guid)/x"))
        api.clientID = "other"
        #expect(api.id == "other")
    }
}
