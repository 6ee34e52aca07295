import SusiBase
import Testing

@testable import SusiJourneys

/// What REST profiles send, and how they read what comes back.
@Suite struct RESTProfileTests {
    private typealias Fixture = JourneyFixture

    private static let metadata =
        #"<Item Key="ServiceUrl">http://localhost/level</Item><Item Key="AuthenticationType">Bearer</Item><Item Key="SendClaimsIn">Body</Item>"#

    private static func items(_ url: String, _ place: String, _ authentication: String = "None", _ more: String = "")
        -> String
    {
        "<Item Key='ServiceUrl'>\(url)</Item><Item Key='AuthenticationType'>\(authentication)</Item><Item Key='SendClaimsIn'>\(place)</Item>\(more)"
    }

    /// Runs a sign-in with a surname, then the profile.
    private static func run(_ metadata: String, surname: String = "O/..?#@ é", _ more: [(String, String)] = []) throws
        -> (ScriptedHost, Outcome?)
    {
        let surnameInput = #"<InputClaim ClaimTypeReferenceId="surname" /><InputClaim ClaimTypeReferenceId="note" />"#
        var host = try Fixture.host(
            [Fixture.exchange("Redeemed"), Fixture.exchange("Read"), Fixture.exchange("Level"), Fixture.send()],
            refresh: [
                Fixture.exchange("Redeemed"), Fixture.exchange("Read"), Fixture.exchange("Level"), Fixture.send(),
            ],
            replacing: [(self.metadata, metadata), (surnameInput, surnameInput)] + more)
        host.users["ana"]?["surname"] = surname.json
        let outcome = try host.run(.refresh(ClaimsBag(["objectId": .string("ana"), "level": .int(1)]))) { _, _ in nil }
        return (host, outcome)
    }

    @Test(arguments: [
        (
            items("http://localhost/a", "Body"),
            RESTCall(
                method: "POST", url: "http://localhost/a", headers: ["Content-Type": "application/json"],
                body: #"{"surname":"O/..?#@ é"}"#)
        ),
        (
            items("http://localhost/a", "Form"),
            RESTCall(
                method: "POST", url: "http://localhost/a",
                headers: ["Content-Type": "application/x-www-form-urlencoded"], body: "surname=O%2F..%3F%23%40%20%C3%A9"
            )
        ),
        (
            items("http://localhost/a?b=c", "QueryString"),
            RESTCall(
                method: "GET", url: "http://localhost/a?b=c&surname=O%2F..%3F%23%40%20%C3%A9", headers: [:], body: nil)
        ),
        (
            items("http://localhost/{surname}/x", "Url"),
            RESTCall(method: "GET", url: "http://localhost/O%2F..%3F%23%40%20%C3%A9/x", headers: [:], body: nil)
        ),
        (
            items("http://localhost/a", "Header"),
            RESTCall(method: "GET", url: "http://localhost/a", headers: ["surname": "O/..?#@ é"], body: nil)
        ),
        (
            items("http://localhost/a", "Header", "Bearer"),
            RESTCall(
                method: "GET", url: "http://localhost/a",
                headers: ["surname": "O/..?#@ é", "Authorization": "Bearer key-secret"], body: nil)
        ),
        (
            items("http://localhost/a", "Url", "ApiKeyHeader"),
            RESTCall(
                method: "GET", url: "http://localhost/a", headers: ["BearerAuthenticationToken": "key-secret"],
                body: nil)
        ),
        (
            items("http://localhost/a", "Url", "Basic"),
            RESTCall(method: "GET", url: "http://localhost/a", headers: ["Authorization": "Basic Og=="], body: nil)
        ),
        (
            items(
                "http://localhost/a", "Body", "Basic",
                "<Item Key='UseClaimAsBearerToken'>displayName</Item><Item Key='ClaimUsedForRequestPayload'>displayName</Item>"
            ),
            RESTCall(
                method: "POST", url: "http://localhost/a",
                headers: ["Content-Type": "application/json", "Authorization": "Basic Og=="], body: "Ana")
        ),
        (
            items("http://localhost/a", "Url", "Bearer", "<Item Key='UseClaimAsBearerToken'>displayName</Item>"),
            RESTCall(method: "GET", url: "http://localhost/a", headers: ["Authorization": "Bearer Ana"], body: nil)
        ),
    ])
    func sends(metadata: String, call: RESTCall) throws {
        #expect(try Self.run(metadata).0.calls == [call])
    }

    @Test(arguments: [
        (items("http://{surname}/a", "Url"), "evil.example", "host"),
        (items("http://a@localhost/a", "Body"), "x", "host"),
        (items("file:///a", "Body"), "x", "neither https"),
        (items("http://localhost/a", "Header"), "x\ny", "control character"),
    ])
    func refusesToSend(metadata: String, surname: String, reason: String) throws {
        let (host, outcome) = try Self.run(metadata, surname: surname)
        #expect(outcome?.failure?.contains(reason) == true && host.calls.isEmpty)
    }

    @Test(arguments: ["Host", "content-type", "Connection", "Transfer-Encoding", "Authorization", "a b", "x:y"])
    func refusesNamesOfHeaders(name: String) throws {
        let input = (
            #"<InputClaim ClaimTypeReferenceId="surname" />"#,
            "<InputClaim ClaimTypeReferenceId='surname' PartnerClaimType='\(name)' />"
        )
        let (host, outcome) = try Self.run(Self.items("http://localhost/a", "Header"), [input])
        #expect(outcome?.failure?.contains("cannot be the name of a header") == true && host.calls.isEmpty)
    }

    @Test func keepsDotsOfAClaimInItsSegment() throws {
        #expect(
            try Self.run(Self.items("http://localhost/a/{surname}/b", "Url"), surname: "..").0.calls.first?.url
                == "http://localhost/a/%2E%2E/b")
    }

    /// A response, and the level or the failure of a step.
    @Test(
        arguments: [
            (.json(200, #"{"level": "3", "note": null}"#), .number(3), nil), (.json(204, " "), .number(1), nil),
            (.json(200, #"{"level": "many"}"#), nil, "cannot convert a string to the type int of “level”"),
            (.json(200, "[1]"), nil, "AADB2C90075"), (.json(200, "no"), nil, "AADB2C90075"),
            (.json(302, ""), nil, "AADB2C90075"),
            (
                .json(200, String(repeating: #"{"a":"#, count: 33) + "1" + String(repeating: "}", count: 33)), nil,
                "AADB2C90075"
            ),
            (.failure(.dns), nil, "AADB2C90075"),
        ] as [(RESTAnswer, JSONNode?, String?)])
    func readsAResponse(answer: RESTAnswer, level: JSONNode?, failure: String?) throws {
        var host = try Fixture.host(
            [Fixture.send()], refresh: [Fixture.exchange("Redeemed"), Fixture.exchange("Level"), Fixture.send()])
        host.services["/level"] = answer
        let outcome = try host.run(.refresh(ClaimsBag(["level": .int(1)]))) { _, _ in nil }
        #expect(outcome?.claims?["level"] == level && outcome?.failure == failure)
    }

    /// What a page says of a failed validation.
    @Test(
        arguments: [
            (.json(409, #"{"status": "409", "userMessage": "No."}"#), "No."),
            (.json(400, #"{"status": 409, "userMessage": "No."}"#), "No."),
            (.json(422, #"{"userMessage": "No."}"#), "No."),
            (.json(400, #"{"status": 400, "userMessage": "No."}"#), "Own text"),
            (.json(500, #"{"status": 409, "userMessage": "No."}"#), "Own text"), (.failure(.other), "Own text"),
            (
                .failure(.timeout),
                Messages.defaults["UserMessageIfRequestTimeout"]?.replacing("{0}", with: "http://localhost/level")
            ),
        ] as [(RESTAnswer, String?)])
    func tellsThePage(answer: RESTAnswer, message: String?) throws {
        let own = #"<Item Key="DefaultUserMessageIfRequestFailed">Own text</Item>"#
        var host = try Fixture.host(
            [Fixture.exchange("ProfilePage"), Fixture.send()], replacing: [(Self.metadata, Self.metadata + own)])
        host.services["/level"] = answer
        _ = try host.run { page, host in
            host.pages.count == 1 ? page.submit(["displayName": "x", "surname": "y"]) : nil
        }
        #expect(host.pages.last?.message == message)
        guard case .response(400, let body) = answer, String(decoding: body, as: UTF8.self).contains("400") else {
            return
        }
        #expect(host.trace.contains { $0.text == "HTTP 400; the body's status must be 409" })
    }

    @Test(arguments: [
        ("user.level", 1), ("value[1].level", 2), ("value.0.level", 3), ("user.none", nil), ("value[9].level", nil),
    ])
    func readsPaths(path: String, level: Int?) throws {
        let output = #"<OutputClaim ClaimTypeReferenceId="level" DefaultValue="7" />"#
        var host = try Fixture.host(
            [Fixture.exchange("Level"), Fixture.send()],
            replacing: [
                (Self.metadata, Self.metadata + "<Item Key='ResolveJsonPathsInJsonTokens'>true</Item>"),
                (output, "<OutputClaim ClaimTypeReferenceId='level' PartnerClaimType='\(path)' DefaultValue='7' />"),
            ])
        host.services["/level"] = .json(200, #"{"user": {"level": 1}, "value": [{"level": 3}, {"level": 2}]}"#)
        #expect(try host.run { _, _ in nil }?.claims?["level"] == .number(level ?? 7))
    }
}
