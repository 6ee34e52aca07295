import SusiBase
import Testing

@testable import SusiJourneys

@Suite struct PolicySettingsTests {
    private static let file = """
        {"Environments": [
          {"Name": "Live", "Production": true, "Tenant": "live.example", "PolicySettings": {"Key": "k1"}},
          {"Name": "Dev", "Production": false, "Tenant": "dev.example",
           "PolicySettings": {"Build.Number": "7", "Whole": "Mode='A'\\n", "Nested": "{Settings:Tenant}{Settings:Nested}"}}]}
        """

    private static func apply(_ text: String, _ options: PolicyOptions = PolicyOptions()) throws -> String {
        let settings = try #require(PolicySettings(JSONNode(parsing: file.utf8), options))
        return String(decoding: settings.apply(to: Array(text.utf8), file: "a/B2C_1A_Base.xml").bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("{Settings:Tenant} {settings:TENANT}", "dev.example dev.example"), ("{Settings:Environment}", "Dev"),
        ("{Settings:Filename} {Settings:PolicyFilename}", "B2C_1A_Base Base"), ("{Settings:Build.Number}", "7"),
        ("<a {Settings:Whole}/>", "<a Mode='A'\n/>"), ("{Settings:Nested}", "dev.example{Settings:Nested}"),
        ("{Settings:Key}", "{Settings:Key}"), ("{Settings:Tenant", "{Settings:Tenant"), ("{Settings:}", "{Settings:}"),
        ("{Settings: Tenant}{{Settings:Tenant}", "{Settings: Tenant}{dev.example"),
    ])
    func replacesNames(text: String, expected: String) throws { #expect(try Self.apply(text) == expected) }

    @Test func takesTheEnvironmentAndTheValuesOfTheCommandLine() throws {
        #expect(try Self.apply("{Settings:Key}", PolicyOptions(environment: "live")) == "k1")
        #expect(try Self.apply("{Settings:tenant}", PolicyOptions(values: ["Tenant": "x"])) == "x")
        let check = try PolicyFixture.check(
            ["appsettings.json": Self.file], options: PolicyOptions(environment: "Test"))
        #expect(check.findings.map(\.hint) == ["environments: Live, Dev"])
    }

    @Test func namesTheLineInTheOriginal() throws {
        let text = Array("a{Settings:X}\nb{Settings:Y}c\n".utf8)
        let source = SourceText(text, replacing: [(1..<13, Array("1\n2\n".utf8)), (15..<27, [])])
        #expect(String(decoding: source.bytes, as: UTF8.self) == "a1\n2\n\nbc\n")
        let positions = source.bytes.indices.map { source.position(of: $0) }
        #expect(positions.map(\.line) == [1, 1, 1, 1, 1, 1, 2, 2, 2])
        #expect(positions.map(\.column) == [1, 2, 2, 2, 2, 14, 1, 14, 15])
        #expect(source.position(of: source.bytes.count).line == 3)
    }

    // Otherwise a short file would need all memory.
    @Test func stopsWhenTheTextIsTooLarge() throws {
        let value = String(repeating: "x", count: 500_000)
        let options = PolicyOptions(values: ["a": value, "b": String(repeating: "{Settings:Tenant}", count: 50_000)])
        let text = String(repeating: "{Settings:a}{Settings:b}", count: 1_000)
        let settings = try #require(PolicySettings(nil, options))
        #expect(settings.apply(to: Array(text.utf8), file: "").bytes.count < 3_000_000)
        let policy = try PolicyFixture.text("SignUp").replacing(
            "PolicyProfile<", with: "{Settings:a}{Settings:a}{Settings:a}<")
        let check = try PolicyFixture.check(["SignUp.xml": policy], options: options)
        #expect(check.findings.map(\.text) == ["The file is larger than 1024 KB"])
    }

    @Test func readsPoliciesThatAreValidOnlyWithSettings() throws {
        let original = try PolicyFixture.text("SignUp")
        let text = original.replacing(
            "TenantId=\"contoso.onmicrosoft.com\"", with: "{Settings:Tenants}\nDeploymentMode=\"X\"")
        let value = "TenantId=\"contoso.onmicrosoft.com\"\n\n"
        let check = try PolicyFixture.check(["SignUp.xml": text], options: PolicyOptions(values: ["Tenants": value]))
        #expect(check.findings.map { "\($0.line) \($0.kind)" } == ["3 schema"])
        let without = try PolicyFixture.check(["SignUp.xml": text]).findings
        #expect(Set(without.map(\.kind)) == ["setting", "xml"])
        #expect(without.map(\.line) == [2, 2])
    }
}
