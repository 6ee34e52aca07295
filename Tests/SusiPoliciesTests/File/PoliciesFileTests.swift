import Foundation
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiBase
@testable import SusiPolicies

@Suite("policies.json", .timeLimit(.minutes(5)))
struct PoliciesFileTests {
    /// The path of the repository's own file.
    static let path = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        .removingLastComponent()
        .appending("policies.json").string

    @Test(arguments: Mistake.all)
    func reportsMistakes(mistake: Mistake) throws {
        let text = try mistake.text()
        let error = try #require(throws: PolicyFileError.self) { try PoliciesFile(text: text.utf8, source: "p.json") }
        #expect(error.line == mistake.line)
        #expect(error.key == mistake.key)
        #expect(error.problem.contains(mistake.problem), "\(error)")
        if let expected = mistake.expected { #expect(error.expected?.contains(expected) == true, "\(error)") }
        #expect(error.nearMatch == mistake.near)
        #expect(error.description.hasPrefix("p.json, line \(mistake.line): "))
        if let near = mistake.near { #expect(error.description.hasSuffix("did you mean “\(near)”?")) }
    }

    @Test func readsCorrectFile() throws {
        let file = try PoliciesFile(text: Mistake.correct.utf8, source: "p.json")
        let application = try #require(file.application(nil))
        #expect(file.application("main") == application)
        #expect(file.application("other") == nil)
        #expect(application.redirectPorts == [8400, 0])
        #expect(application.policies.map(\.name.spelling) == ["B2C_1_susi", "B2C_1_partner", "B2C_1_reset"])
        #expect(application.policies.map(\.redirectPath) == ["/", "/back", "/"])
        #expect(application.policies.map(\.responseMode) == [.query, .query, .formPost])
        #expect(application.policies.map(\.sendsIDTokenHint) == [false, false, true])
        #expect(application.policies.map(\.trustedAudiences) == [[], [], ["x"]])
        #expect(application.defaultPolicy?.name == PolicyName("b2c_1_susi"))
        #expect(application.api("hello")?.policy == PolicyName("B2C_1_susi"))
        #expect(application.knownAuthorities.entries.map(\.text) == ["contoso.b2clogin.com"])
    }

    @Test(arguments: ["localhost", "127.0.0.1", "[::1]"]) func readsRedirectHost(host: String) throws {
        let text = Mistake.correct.replacing("8400, 0]", with: "8400, 0], \"redirectHost\": \"\(host)\"")
        let application = try #require(try PoliciesFile(text: text.utf8, source: "p.json").application(nil))
        #expect(application.addressesToRegister == ["http://\(host):8400/", "http://\(host):8400/back"])
        let copy = application.copied(to: WebAddress.usualCopy)
        #expect(copy.addressesToRegister == application.addressesToRegister)
    }

    @Test("a copy moves the hosts of its tenant; an API on this machine is the developer's own")
    func movesAddressesOfCopy() throws {
        let text = { (origin: String, api: String) in
            """
            { "applications": { "x": { "kind": "entra", "authority": "\(origin)/common", "clientId": "1",
                "knownAuthorities": ["\(origin)", "https://login.windows.net/tailspin.example", "https://id.example"],
                "apis": { "orders": { "baseUrl": "\(api)", "scopes": ["api://x/read"] } } } } }
            """
        }
        let (cloud, local) = ("https://login.microsoftonline.com", "http://localhost:8480")
        for (origin, api, base, known) in [
            (cloud, "https://api.example/v1", "api/orders", ["", "/tailspin.example"]),
            (cloud, "http://localhost:5000/v1", nil, ["", "/tailspin.example"]), (local, "\(local)/v1", "v1", [""]),
            (local, "http://localhost:5000/v1", nil, [""]),
        ] as [(String, String, String?, [String])] {
            let file = try PoliciesFile(text: text(origin, api).utf8, source: "p.json")
            let copy = try #require(file.application(nil)).copied(to: .usualCopy)
            #expect(copy.apis[0].baseURL.spelling == base.map { "\(WebAddress.usualCopy)/\($0)" } ?? api)
            let entries = copy.knownAuthorities.entries.map(\.text)
            #expect(entries.filter { $0.hasPrefix("http:") } == known.map { "\(WebAddress.usualCopy)\($0)" })
            // Other hosts of the cloud are not contacted.
            #expect(entries.contains("https://id.example") == (origin == local))
        }
    }

    @Test func rejectsMissingPolicies() throws {
        let whole = try Regex(#""policies": \{[^}]*\}[^}]*\}[^}]*\}[^}]*\}"#)
        let text = Mistake.correct.replacing(whole, with: #""policies": {}"#)
        let error = try #require(throws: PolicyFileError.self) { try PoliciesFile(text: text.utf8, source: "p.json") }
        #expect(error.key == "applications.main.policies")
        #expect(error.line == 9)
        #expect(error.problem == "no policy")
    }

    @Test func agreesWithBuiltInFile() throws {
        let file = try PoliciesFile(path: Self.path)
        let local = try #require(file.application("local"))
        #expect(try PoliciesFile.builtIn().application("local") == local)
        #expect(file.current == "local")
        for application in file.applications {
            for policy in application.policies {
                let decision = application.knownAuthorities.decision(for: application.authority(for: policy))
                guard case .allowed = decision else {
                    Issue.record("\(application.name), \(policy.name): \(decision)")
                    continue
                }
            }
        }
    }

    @Test func rejectsUnusableFiles() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("policies.json").string
            let error = { try #require(throws: PolicyFileError.self) { try PoliciesFile(path: path) } }
            #expect(try error().problem.contains("does not exist"))
            #expect(try error().line == nil)
            #expect(try error().description.hasPrefix(path + ": "))
            try Data("{\n\"current\": 'x'}".utf8).write(to: URL(filePath: path))
            #expect(try error().line == 2)
            #expect(try error().problem.contains("expected a value"))
            let text =
                Mistake.correct + String(repeating: " ", count: PoliciesFile.largest - Mistake.correct.utf8.count)
            try Data(text.utf8).write(to: URL(filePath: path))
            _ = try PoliciesFile(path: path)
            try Data((text + " ").utf8).write(to: URL(filePath: path))
            #expect(try error().problem.contains("larger than 1048576 bytes"))
            let found = { (path: FilePath) in
                try #require(throws: PolicyFileError.self) { try PoliciesFile.owned(path: path.string, by: getuid()) }
            }
            #expect(try found(folder).problem == "not a regular file" && !found(folder).isUnreadable)
            #expect(try found(folder.appending("none")).isUnreadable && found("/proc/self/mem").isUnreadable)
            let link = folder.appending("link")
            try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "none")
            #expect(try found(link).problem.contains("link") && found(link).isUnreadable)
        }
    }
}

/// Files with several mistakes, which are reported at once.
@Suite("Mistakes in policies.json")
struct MistakeListTests {
    private func mistakes(_ text: String) throws -> [PolicyFileError] {
        try #require(throws: PolicyFileError.self) { try PoliciesFile(text: text.utf8, source: "p.json") }.all
    }

    @Test("comments, trailing commas and duplicate keys do not hide the other mistakes")
    func toleratesWhatIsUsualInFilesWrittenByHand() throws {
        let text = """
            # one
            {
              // two
              "current": "main", /* three
              */ "current": "main", "applications": { "main": {
                "kind": "b2c", "authority": "x", "clientId": "c",
                "redirectPorts": [1, 2,],
                "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn", } }
              }
              , }
            } /* open
            """
        let found = try mistakes(text).map { "\($0.line ?? 0) \($0.key) \($0.problem)" }
        #expect(
            found == [
                "1  JSON has no comments: remove this one", "3  JSON has no comments: remove this one",
                "4  JSON has no comments: remove this one", "5  duplicate key “current”",
                "6 applications.main.authority invalid value “x”", "7  trailing comma before ]",
                "8  trailing comma before }", "10  trailing comma before }",
                "11  JSON has no comments: remove this one",
            ])
    }

    @Test(arguments: ["{} /", "{\"applications\": {} / }", "{\"a\": *}", "[,]", "{,}"])
    func reportsOtherCharacters(text: String) throws {
        #expect(try mistakes(text).contains { !$0.problem.contains("comment") }, "\(text)")
    }

    @Test("a value that the schema and a rule refuse is reported once; each list has all of its mistakes")
    func reportsEachPlaceOnce() throws {
        let text = Mistake.correct.replacing("https://contoso.b2clogin.com/contoso.onmicrosoft.com", with: "b2clogin")
            .replacing("[\"contoso.b2clogin.com\"]", with: "[\"a.b/..\", \"\", 5]")
            .replacing("[8400, 0]", with: "[-1, 70000]").replacing("\"b2c_1_SUSI\"", with: "\"none\"")
        let found = try mistakes(text).map(\.key)
        let places = ["authority", "redirectPorts.0", "redirectPorts.1", "knownAuthorities.0"]
        for place in places { #expect(found.count { $0 == "applications.main.\(place)" } == 1, "\(found)") }
        #expect(found.contains("applications.main.apis.hello.policy"))
        #expect(try mistakes(text).map(\.line) == mistakes(text).map(\.line).sorted { $0 ?? 0 < $1 ?? 0 })
    }

    @Test(arguments: [
        ("0", true), ("4294967295", true), ("-1", false), ("4294967296", false), ("1.5", false), ("\"1\"", false),
    ])
    func acceptsCounts(text: String, isValid: Bool) throws {
        let (node, check) = (try JSONNode(parsing: text.utf8), SchemaCheck(file: "p.json"))
        let count = SchemaNode.integer(0...Int64(UInt32.max))
        guard !isValid else { return try check.check(node, count) }
        let error = try #require(throws: PolicyFileError.self) { try check.check(node, count) }
        #expect(error.expected == "a whole number from 0 to 4294967295")
    }

    @Test func limitsTheNumberOfMistakes() throws {
        let policies = (0..<2 * PolicyFileError.most).map { #""p \#($0)": { "kind": 1, "default": 2 }"# }
        let text = """
            { "applications": { "a": { "kind": "b2c", "authority": "\(DefaultsTests.base)", "clientId": "x",
              "policies": { \(policies.joined(separator: ",")) } } } }
            """
        #expect(try (PolicyFileError.most...PolicyFileError.most + 3).contains(mistakes(text).count))
        let commas = String(repeating: "[1,],", count: 2 * PolicyFileError.most)
        #expect(try mistakes("[\(commas)1]").count == PolicyFileError.most)
    }

    @Test("a removed key names its successor", arguments: [("private", true), ("shared", false)])
    func explainsRemovedKey(value: String, isDeletedOnly: Bool) throws {
        let text = DefaultsTests.text("a").replacing(
            "\"kind\": \"b2c\"", with: "\"deviceMode\": \"\(value)\", \"kind\": \"b2c\"")
        let problem = try #require(try mistakes(text).first?.problem)
        #expect(problem.hasPrefix("removed: delete this line"))
        #expect(problem.contains("susi store share") != isDeletedOnly)
    }

    @Test func reportsEachFurtherDefault() throws {
        let policies = ["a", "b", "c"].map { #""\#($0)": { "kind": "signUpOrSignIn", "default": true }"# }
        let text = DefaultsTests.text("x").replacing(
            #""B2C_1_susi": { "kind": "signUpOrSignIn" }"#, with: policies.joined(separator: ","))
        let found = try mistakes(text).filter { $0.key.hasSuffix("default") }.map(\.problem)
        #expect(found == ["“a” is already the default", "“a” is already the default"])
    }

    @Test func reportsAListInPlaceOfAnObjectOnce() throws {
        #expect(try mistakes(#"{"applications": []}"#).map(\.problem) == ["found a list"])
        let text = DefaultsTests.text("x").replacing(#"{ "B2C_1_susi": { "kind": "signUpOrSignIn" } }"#, with: "[]")
        #expect(try mistakes(text).map(\.problem) == ["found a list"])
    }

    @Test(arguments: ["{\"applications\": {}}", "{\"applications\": {}, \"current\": \"a\"}"])
    func needsAnApplication(text: String) throws {
        #expect(try mistakes(text).map(\.problem) == ["no application"])
    }

    @Test(arguments: ["", " \n"]) func refusesEmptyText(text: String) throws {
        #expect(try mistakes(text).count == 1)
    }
}

@Suite("What policies.json may leave out")
struct DefaultsTests {
    static let base = "https://login.contoso.example/contoso.onmicrosoft.com"

    /// Returns a file of applications without `current` and `knownAuthorities`; `more` goes into the policy.
    static func text(_ names: String..., more: String = "") -> String {
        let applications = names.map { name in
            """
            "\(name)": { "kind": "b2c", "authority": "\(base)", "clientId": "x",
              "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn"\(more) } } }
            """
        }
        return "{ \"applications\": { \(applications.joined(separator: ",\n")) } }"
    }

    private func read(_ text: String) throws -> PoliciesFile { try PoliciesFile(text: text.utf8, source: "p.json") }

    @Test func takesTheOnlyApplication() throws {
        let file = try read(Self.text("staging"))
        #expect(file.current == "staging" && file.application(nil)?.name == "staging")
    }

    @Test func takesTheMarkedPolicy() throws {
        let marked = #""b": { "kind": "signUpOrSignIn", "default": true }"#
        let text = Self.text("x").replacing(
            "\"policies\": {", with: "\"policies\": { \"a\": { \"kind\": \"signUpOrSignIn\" }, \(marked),")
        #expect(try read(text).application(nil)?.defaultPolicy?.name == PolicyName("b"))
    }

    @Test func demandsCurrentOfSeveralApplications() throws {
        let error = try #require(throws: PolicyFileError.self) { try read(Self.text("a", "b")) }
        #expect(error.problem == "“current” is missing" && error.line == 1)
    }

    @Test func allowsTheOwnAuthorityAndNothingElse() throws {
        let application = try #require(try read(Self.text("a")).application(nil))
        #expect(application.knownAuthorities.entries.map(\.text) == [Self.base])
        for (base, isAllowed) in [
            (Self.base, true), ("https://login.contoso.example/tfp/contoso.onmicrosoft.com", true),
            ("https://login.contoso.example/fabrikam.onmicrosoft.com", false),
            ("https://login.contoso.example:8443/contoso.onmicrosoft.com", false),
            ("https://contoso.b2clogin.com/contoso.onmicrosoft.com", false),
        ] {
            let decision = application.knownAuthorities.decision(for: try AuthorityTests.authority(base))
            if case .allowed(by: let entry) = decision {
                #expect(isAllowed && entry.isOwn, "\(base)")
            } else {
                #expect(!isAllowed, "\(base)")
            }
        }
    }

    @Test func namesTheWholeListThatARefusedAuthorityNeeds() throws {
        let elsewhere = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"
        let application = try #require(
            try read(Self.text("a", more: ", \"authority\": \"\(elsewhere)\"")).application(nil))
        let decision = application.knownAuthorities.decision(for: application.authority(for: application.policies[0]))
        guard case .refused(let refusal) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(refusal.reason.contains("without knownAuthorities, only the application's own authority"))
        let addition = try #require(refusal.addition(to: "x"))
        #expect(addition == "\"knownAuthorities\": [\"\(Self.base)\", \"\(elsewhere)\"] to x")
        let list = addition.prefix { $0 != "]" } + "]"
        let listed = Self.text("a", more: ", \"authority\": \"\(elsewhere)\"").replacing(
            "\"clientId\"", with: "\(list), \"clientId\"")
        let fixed = try #require(try read(listed).application(nil))
        for policy in [elsewhere, Self.base] {
            guard case .allowed = fixed.knownAuthorities.decision(for: try AuthorityTests.authority(policy)) else {
                Issue.record("\(policy) is still refused")
                continue
            }
        }
    }

    @Test(
        arguments: [
            ("external", "https://contoso.ciamlogin.com", "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"),
            ("entra", "https://login.microsoftonline.com/common", "https://login.microsoftonline.com/common"),
            ("openid", "https://id.example/Realms/A/", "https://id.example/Realms/A"),
        ])
    func knowsTheOwnAuthorityOfEveryKind(kind: String, authority: String, entry: String) throws {
        let text = """
            { "applications": { "a": { "kind": "\(kind)", "authority": "\(authority)", "clientId": "x" } } }
            """
        let application = try #require(try read(text).application(nil))
        let decision = application.knownAuthorities.decision(for: application.authority(for: application.policies[0]))
        guard case .allowed(by: let found) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(found.text == entry && found.isOwn)
    }
}

@Suite("JSON Schema", .timeLimit(.minutes(5)))
struct SchemaTests {
    @Test(.enabled("python3 with jsonschema is missing", SchemaWitness.isWanted))
    func agreesWithOtherValidator() async throws {
        typealias Case = SchemaWitness.Case
        let cases =
            [
                Case("own", try String(contentsOfFile: PoliciesFileTests.path, encoding: .utf8), isRight: true),
                Case("built-in", PoliciesFile.builtInText, isRight: true),
                Case("correct", Mistake.correct, isRight: true), Case("kinds", KindFile.text, isRight: true),
                Case("no-policies", try KindFile.withoutPolicies(), isRight: false),
                Case("one-without-current", DefaultsTests.text("a"), isRight: true),
                Case("two-without-current", DefaultsTests.text("a", "b"), isRight: false),
            ]
            + (try Mistake.all.enumerated().filter(\.element.isInSchema).map { index, mistake in
                Case("\(index)-\(mistake.name.replacing(" ", with: "-"))", try mistake.text(), isRight: false)
            })
        #expect(try await SchemaWitness.disagreements(on: cases, schema: PoliciesSchema.text()).isEmpty)
    }

    @Test func writesJSONSchema() throws {
        let schema = try JSONNode(parsing: PoliciesSchema.text().utf8)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["type"]?.string == "object")
        #expect(schema["additionalProperties"]?.bool == false)
        #expect(schema["required"]?.strings == ["applications"])
        let properties = try #require(schema["properties"]?.members)
        #expect(properties.map(\.name) == ["$schema", "applications", "current", "keyCommand", "keySource"])
        #expect(properties.allSatisfy { $0.node["description"]?.string?.isEmpty == false })
        let text = PoliciesSchema.text().filter { !$0.isWhitespace }
        #expect(text.contains("\"allOf\":[{") && !text.contains("\"allOf\":[]"))
    }
}
