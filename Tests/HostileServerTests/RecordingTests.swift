import Foundation
import SusiTestSupport
import SystemPackage
import Testing

@testable import Susi

/// What a recording contains if every member of every message has a value of a person or a tenant, or a hostile one.
@Suite("Recording")
struct RecordingTests {
    // Each word of these names a person, a tenant or a secret.
    static let id = "5c0ffee5-1bad-4bad-8bad-abadcafe0001"
    static let address =
        "https://kazimierz.b2clogin.com/kazimierz.onmicrosoft.com/B2C_1_vip/wrona/zosia?p=B2C_1_vip&q=zosia"
    static let needles = [
        "zosia", "wrona", "kazimierz", "vip", "5c0ffee5", "1bad", "abadcafe", "4917612345678", "77665544", "marzipan",
        "1987", "nadel", "ñandú",
    ]
    static let personal: [String: [String]] = [
        "guid": [id, id.uppercased()], "email": ["zosia.wrona@kazimierz.example"], "address": [address],
        "epoch-string": ["4917612345678"], "seconds-string": ["77665544"],
        "scopes": ["https://kazimierz.onmicrosoft.com/nadel"],
        "timestamp": ["1987-04-01 11:12:13Z"],
        "base64url": [Base64URL.encode(Array("zosia marzipan".utf8)), "marzipan"],
        "jwt": [token], "opaque": ["Marzipan77665544.nadel"],
    ]
    static let hostile = [
        "Zosia Wrona <zosia.wrona@kazimierz.example>", "\u{1b}[31mzosia\u{7}\u{202e}", "{policy} zosia {guid}",
        "+4917612345678",
        "ñandú", "B2C_1_VIP", id, address, "AADB2C1987 nadel", "RS256 zosia", "code/../nadel",
    ]
    static let token = [
        #"{"alg":"RS256","kid":"marzipan"}"#, #"{"sub":"\#(id)","name":"Zosia Wrona","nadel":1987}"#, "zosia",
    ]
    .map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")

    /// The published captures: the members of messages that services were seen to send.
    static let published: [(name: String, file: JSONNode)] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "SusiEmulatorTests/Captures")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.compactMap { url in
            (try? JSONNode(parsing: Data(contentsOf: url))).map { (url.lastPathComponent, $0) }
        }
    }()

    /// Returns a message with the members of a published one; `turn` chooses among the values.
    static func message(_ members: JSONNode, turn: Int) -> JSONNode {
        var made = members.members.enumerated().map { index, member in
            JSONNode.Member(name: member.name, node: value(of: member.node, turn: turn + index))
        }
        for name in ["Zosia Wrona", "nadel", "extension_marzipan_Nadel", "zosia@kazimierz.example", "ñandú"] {
            made.append(.init(name: name, node: text(turn)))
        }
        return JSONNode(value: .object(made))
    }

    private static func text(_ turn: Int) -> JSONNode { .text(hostile[turn % hostile.count]) }

    private static func value(of shape: JSONNode, turn: Int) -> JSONNode {
        // Every third value has another type than the service's.
        if turn % 3 == 2 {
            let others: [JSONNode.Value] = [
                .number("4917612345678"), .array([text(turn)]), .object([.init(name: "zosia", node: text(turn))]),
                .array([JSONNode(value: .number("77665544"))]),
            ]
            return JSONNode(value: others[turn / 3 % others.count])
        }
        switch shape["type"]?.string {
        case "number": return JSONNode(value: .number(turn % 2 == 0 ? "4917612345678" : "77665544"))
        case "boolean": return JSONNode(value: .bool(true))
        case "object": return message(shape["members"] ?? JSONNode(value: .object([])), turn: turn)
        case "array":
            let inner = shape["of"].map { value(of: $0, turn: turn) } ?? text(turn)
            return JSONNode(value: .array([inner, text(turn + 1)]))
        default:
            let candidates = shape["format"]?.string.flatMap { personal[$0] }
            return candidates.map { .text($0[turn % $0.count]) } ?? text(turn)
        }
    }

    /// The message as an authority sends it: a token in a response, a redirect as a form.
    private static func sent(
        _ kind: String, _ body: JSONNode, _ header: JSONNode?
    ) throws -> (body: String, way: ServerMessage.Way) {
        let encoded = Base64URL.encode(Array(JSONText.compact(body).utf8))
        let head = Base64URL.encode(Array(JSONText.compact(header ?? JSONNode(value: .object([]))).utf8))
        let way = ServerMessage.Way.response(
            status: 200, to: try Endpoint(address), form: "grant_type=password&username=zosia&client_info=1")
        switch kind {
        case "id-token": return (#"{"id_token":"\#(head).\#(encoded).zosia"}"#, way)
        case "access-token": return (#"{"access_token":"\#(head).\#(encoded).zosia"}"#, way)
        case "client-info": return (#"{"access_token":"zosia","client_info":"\#(encoded)"}"#, way)
        case "redirect", "error-redirect":
            let fields = body.members.map { ($0.name, $0.node.string ?? JSONText.compact($0.node)) }
            return (FormEncoding.encode(fields), .redirect(mode: .query))
        default: return (JSONText.compact(body), way)
        }
    }

    private func withClient(_ body: (PublicClient, Policy) async throws -> Void) async throws {
        let text = """
            {"applications": {"zosia": {"kind": "b2c", "authority": "https://kazimierz.b2clogin.com/kazimierz.onmicrosoft.com",
              "clientId": "\(Self.id)", "policies": {"B2C_1_vip": {"kind": "signUpOrSignIn"}}}}}
            """
        let application = try PoliciesFile(text: text.utf8, source: "the test’s policies").applications[0]
        try await withTemporaryFolder { path in
            let folder = StoreFolder(path.appending("state"), owner: getuid())
            try await body(
                PublicClient(application: application, folder: folder, clock: { Provider.now }), application.policies[0]
            )
        }
    }

    @Test("has published messages of every kind") func hasMessages() {
        #expect(
            Self.published.count >= 140 && Set(Self.published.compactMap { $0.file["message"]?.string }).count >= 12)
    }

    @Test("writes no value of a person, a tenant or a secret, in any member", arguments: 0..<12)
    func writesNoValue(turn: Int) async throws {
        try await withClient { client, policy in
            for (name, file) in Self.published {
                let kind = try #require(file["message"]?.string)
                let message = Self.message(try #require(file["members"]), turn: turn)
                let (_, recording) = await client.recording(under: policy, date: "2026-01-01") {
                    let sent = try Self.sent(kind, message, file["header"].map { Self.message($0, turn: turn) })
                    ServerMessage.received(sent.body.utf8, sent.way)
                }
                #expect(!recording.captures.isEmpty, "\(name): nothing was recorded")
                let text = try recording.text()
                let found = Self.needles.filter { text.lowercased().contains($0) }
                #expect(found == [], "\(name): \(text)")
                let described = recording.captures.reduce(0) { $0 + ($1["members"]?.members.count ?? 0) }
                #expect(described >= message.members.count, "\(name): \(text)")
            }
        }
    }

    @Test("describes what it does not write")
    func describes() async throws {
        try await withClient { client, policy in
            let body = """
                {"issuer": "https://kazimierz.b2clogin.com/\(Self.id)/v2.0/", "scope": "openid zosia", "tfp": "B2C_1_vip",
                 "authorization_endpoint": "\(Self.address)", "uid": "\(Self.id)-b2c_1_vip", "nadel": true, "email": "z@w.pl",
                 "error": "invalid_grant", "error_description": "AADB2C90080: zosia\\r\\nCorrelation ID: \(Self.id)\\r\\nmarzipan"}
                """
            let (_, recording) = await client.recording(under: policy, date: "2026-01-01") {
                ServerMessage.received(body.utf8, .redirect(mode: .formPost))
                ServerMessage.received(
                    body.utf8, .response(status: 400, to: try Endpoint(Self.address), form: "grant_type=refresh_token"))
            }
            #expect(recording.replacedNames.contains("nadel"))
            let capture = try #require(recording.captures.last)
            #expect(capture["grant"]?.string == "refresh_token" && capture["message"]?.string == "error-response")
            #expect(capture["says"]?.string == "AADB2C90080: {text}\r\nCorrelation ID: {guid}\r\n{text}")
            #expect(
                JSONText.compact(try #require(capture["settings"]))
                    == #"{"policy":"user-flow","host":"b2clogin.com","form":"?p="}"#)
            let shapes = try #require(capture["members"]).members.map { "\($0.name) \(JSONText.compact($0.node))" }
            #expect(
                shapes == [
                    #"issuer {"type":"string","format":"address","pattern":"https://{host}/{guid}/v2.0/"}"#,
                    #"scope {"type":"string","format":"scopes"}"#, #"tfp {"type":"string","pattern":"{policy}"}"#,
                    #"authorization_endpoint {"type":"string","format":"address","pattern":"https://{host}/{tenant}/{policy}/{segment}/{segment}?p={policy}"}"#,
                    #"uid {"type":"string","pattern":"{guid}-{policy in lower case}"}"#,
                    #"{own claim 1} {"type":"boolean"}"#,
                    #"email {"type":"string","format":"email"}"#, #"error {"type":"string","value":"invalid_grant"}"#,
                    #"error_description {"type":"string","format":"text"}"#,
                ])
        }
    }

    @Test("describes hundreds of the tenant’s own claims")
    func describesManyClaims() async throws {
        try await withClient { client, policy in
            let body = JSONNode(value: .object((0..<300).map { .init(name: "nadel\($0)", node: Self.text($0)) }))
            let (_, recording) = await client.recording(under: policy, date: "2026-01-01") {
                let way = ServerMessage.Way.response(status: 200, to: try Endpoint(Self.address), form: nil)
                ServerMessage.received(JSONText.compact(body).utf8, way)
            }
            let text = try recording.text()
            #expect(text.contains("{own claim 300}"))
        }
    }

    @Test(
        "refuses a capture with any other word, wherever it is",
        arguments: [
            #"{"members": {"name": {"type": "string", "value": "Zosia"}}}"#,
            #"{"members": {"zosia": {"type": "null"}}}"#,
            #"{"says": "AADB2C90118: Zosia forgot it"}"#, #"{"settings": {"host": "kazimierz.b2clogin.com"}}"#,
            #"{"members": {"iss": {"pattern": "https://{host}/5c0ffee5-1bad-4bad-8bad-abadcafe0001/v2.0/"}}}"#,
            #"{"members": {"exp": {"type": "number", "value": 1790000000}}}"#, #"{"status": 4917}"#,
            #"{"members": {"error_codes": {"values": [77665544]}}}"#, #"{"header": {"kid": {"value": "ñandú"}}}"#,
            #"{"members": {"keys": {"of": {"members": {"n": {"value": "eyJhbGciOi"}}}}}}"#, #"{"message": "zosia"}"#,
        ])
    func refuses(capture: String) throws {
        let node = try JSONNode(parsing: capture.utf8)
        let recording = Recording(captures: [try JSONNode(parsing: "{}".utf8), node], replacedNames: [])
        let refusal = try #require(throws: Recording.Refusal.self) { try recording.text() }
        #expect(refusal.number == 2)
        #expect(try !Recording(captures: [try JSONNode(parsing: "{}".utf8)], replacedNames: []).text().isEmpty)
    }
}
