@testable import SusiJourneys

extension ClaimValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
    package init(stringLiteral text: String) { self = .string(text) }

    package init(booleanLiteral flag: Bool) { self = .boolean(flag) }

    package init(arrayLiteral items: String...) { self = .stringCollection(items) }
}

/// Small policies in a text, and what a request knows.
enum ClaimFixture {
    static let now = 1_640_995_200.25

    /// The policy of a text inside of BuildingBlocks, and of one behind it.
    static func policy(_ blocks: String, _ rest: String = "") throws -> EffectivePolicy {
        let text = """
            <TrustFrameworkPolicy xmlns="\(Element.namespace)" PolicyId="B2C_1A_P" TenantId="contoso.onmicrosoft.com"
              DeploymentMode="Development"><BuildingBlocks>\(blocks)</BuildingBlocks>\(rest)</TrustFrameworkPolicy>
            """
        guard let root = try Element.parse(Array(text.utf8), file: 0) else { throw NotAPolicy() }
        return EffectivePolicy(PolicyFile(number: 0, path: "", text: SourceText([]), root: root), over: nil)
    }

    /// A hash that shows what was hashed, and random numbers that count from zero.
    static func facts(_ parameters: [String: String] = [:]) -> RequestFacts {
        var facts = RequestFacts(tenant: "contoso.onmicrosoft.com", now: now) { $0 }
        facts.parameters = parameters
        facts.tenantObjectID = "11111111-2222-3333-4444-555555555555"
        facts.policyKeys = ["b2c_1a_secret": "key"]
        facts.random = RandomSource { 0 }
        return facts
    }

    private struct NotAPolicy: Error {}

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    }
}
