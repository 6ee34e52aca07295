import NIOHTTP1
import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Trace of journeys", .timeLimit(.minutes(5))) struct JourneyTraceTests {
    @Test("the admin API says of each request what the steps of its journey did, without a password")
    func tellsWhatEachStepDid() async throws {
        try await withCustomPolicies { folder in
            try folder.add("SignIn", "SignIn", claims: ["displayName"])
        } _: { fixture, _ in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize("B2C_1A_SignIn"))
            let wrong = try await browser.submit(page, ["email": "ana@contoso.example", "password": "Wr0ng-pass"])
            _ = try await browser.submit(wrong, ["email": "ana@contoso.example", "password": "Passw0rd!"]).redirect
            let requests = try await fixture.administer(.GET, "/requests")["requests"]?.elements ?? []
            var steps: [JSON] = []
            for number in requests.compactMap({ $0["number"]?.integer }).reversed() {
                steps += try await fixture.administer(.GET, "/requests/\(number)/journey")["steps"]?.elements ?? []
            }
            let text = steps.map(\.text).joined(separator: "\n")
            #expect(!text.contains("Passw0rd!") && !text.contains("Wr0ng-pass"))
            let (numbers, texts) = (steps.map { $0["step"]?.string ?? "" }, steps.map { $0["text"]?.string ?? "" })
            let names = steps.map { $0["added"]?["displayName"]?.string ?? "" }
            #expect(numbers.contains("1") && names.contains("Ana Lima"), "\(text)")
            #expect(texts.contains { $0.contains("skipped") }, "\(text)")
            let absent = try await fixture.admin(.GET, "/requests/999999/journey")
            #expect(absent.status == 404)
        }
    }
}
