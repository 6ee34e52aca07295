import Foundation
import Testing

@testable import Susi
@testable import SusiTools

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
            JSONNode.Member(member.name, value(of: member.node, turn: turn + index))
        }
        for name in ["Zosia Wrona", "nadel", "extension_marzipan_Nadel", "zosia@kazimierz.example", "ñandú"] {
            made.append(.init(name, text(turn)))
        }
        return .object(made)
    }

    private static func text(_ turn: Int) -> JSONNode { .string(hostile[turn % hostile.count]) }

    private static func value(of shape: JSONNode, turn: Int) -> JSONNode {
        // Every third value has another type than the service's.
        if turn % 3 == 2 {
            let others: [JSONNode] = [
                .number(4_917_612_345_678), .array([text(turn)]), ["zosia": text(turn)], .array([.number(77_665_544)]),
            ]
            return others[turn / 3 % others.count]
        }
        switch shape["type"]?.string {
        case "number": return .number(turn % 2 == 0 ? 4_917_612_345_678 : 77_665_544)
        case "boolean": return true
        case "object": return message(shape["members"] ?? [:], turn: turn)
        case "array":
            let inner = shape["of"].map { value(of: $0, turn: turn) } ?? text(turn)
            return .array([inner, text(turn + 1)])
        default:
            let candidates = shape["format"]?.string.flatMap { personal[$0] }
            return candidates.map { .string($0[turn % $0.count]) } ?? text(turn)
        }
    }

    /// The message as an authority sends it: a token in a response, a redirect as a form.
    private static func sent(
        _ kind: String, _ body: JSONNode, _ header: JSONNode?
    ) -> (body: String, way: ServerMessage.Way) {
        let encoded = Base64URL.encode(Array(JSONText.compact(body).utf8))
        let head = Base64URL.encode(Array(JSONText.compact(header ?? [:]).utf8))
        let way = ServerMessage.Way.response(status: 200, form: "grant_type=password&username=zosia&client_info=1")
        switch kind {
        case "id-token": return (#"{"id_token":"\#(head).\#(encoded).zosia"}"#, way)
        case "access-token": return (#"{"access_token":"\#(head).\#(encoded).zosia"}"#, way)
        case "client-info": return (#"{"access_token":"zosia","client_info":"\#(encoded)"}"#, way)
        case "redirect", "error-redirect":
            let fields = body.members.map { ($0.name, $0.node.string ?? JSONText.compact($0.node)) }
            return (FormEncoding.encode(fields), .redirect(.query))
        default: return (JSONText.compact(body), way)
        }
    }

    /// Records messages from an endpoint of the tenant.
    private func recording(
        of messages: [(body: String, way: ServerMessage.Way)], from address: String = address
    ) async throws -> Recording {
        let text = """
            {"applications": {"zosia": {"kind": "b2c", "authority": "https://kazimierz.b2clogin.com/kazimierz.onmicrosoft.com",
              "clientId": "\(Self.id)", "policies": {"B2C_1_vip": {"kind": "signUpOrSignIn"}}}}}
            """
        let application = try PoliciesFile(text: text.utf8, source: "the test’s policies").applications[0]
        let endpoint = try Endpoint(address)
        return await Recording.make(of: application, date: "2026-01-01") {
            for message in messages { ServerMessage.received(message.body.utf8, message.way, from: endpoint) }
        }.recording
    }

    @Test("has published messages of every kind") func hasMessages() {
        #expect(
            Self.published.count >= 140 && Set(Self.published.compactMap { $0.file["message"]?.string }).count >= 12)
    }

    @Test("writes no value of a person, a tenant or a secret, in any member", arguments: 0..<12)
    func writesNoValue(turn: Int) async throws {
        for (name, file) in Self.published {
            let kind = try #require(file["message"]?.string)
            let message = Self.message(try #require(file["members"]), turn: turn)
            let sent = Self.sent(kind, message, file["header"].map { Self.message($0, turn: turn) })
            let recording = try await recording(of: [sent])
            #expect(!recording.captures.isEmpty, "\(name): nothing was recorded")
            let text = recording.text
            let found = Self.needles.filter { text.lowercased().contains($0) }
            #expect(found == [], "\(name): \(text)")
            let described = recording.captures.reduce(0) { $0 + ($1["members"]?.members.count ?? 0) }
            #expect(described >= message.members.count, "\(name): \(text)")
        }
    }

    @Test("describes what it does not write")
    func describes() async throws {
        let error = """
            {"issuer": "https://kazimierz.b2clogin.com/\(Self.id)/v2.0/", "scope": "openid zosia", "tfp": "B2C_1_vip",
             "authorization_endpoint": "\(Self.address)", "uid": "\(Self.id)-b2c_1_vip", "nadel": true, "email": "z@w.pl",
             "error": "invalid_grant", "error_description": "AADB2C90080: zosia\\r\\nCorrelation ID: \(Self.id)\\r\\nmarzipan"}
            """
        let recording = try await recording(of: [(error, .response(status: 400, form: "grant_type=refresh_token"))])
        #expect(recording.replacedNames == ["nadel"])
        let capture = try #require(recording.captures.last)
        #expect(capture["grant"]?.string == "refresh_token" && capture["message"]?.string == "error-response")
        #expect(capture["says"]?.string == "AADB2C90080: {text}")
        #expect(
            Self.shapes(capture["members"]) == [
                #"issuer {"type":"string","format":"address"}"#, #"scope {"type":"string","format":"text"}"#,
                #"tfp {"type":"string","format":"text"}"#,
                #"authorization_endpoint {"type":"string","format":"address"}"#,
                #"uid {"type":"string","format":"text"}"#,
                #"{own claim 1} {"type":"boolean"}"#,
                #"email {"type":"string","format":"email"}"#, #"error {"type":"string","value":"invalid_grant"}"#,
                #"error_description {"type":"string","format":"text"}"#,
            ])
    }

    @Test("describes the formats of a token response, its tokens and its client info")
    func describesTokens() async throws {
        let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"marzipan_-","x5t":"nadel","zosia":1}"#.utf8))
        let claims = """
            {"exp":1790000000,"auth_time":"1790000000","oid":"\(Self.id)","email_verified":false,"newUser":true,
             "phone_number":"+4917612345678","iss":"\(Self.address)","nonce":"marzipan","acr":"b2c_1_vip",
             "address":{"wrona":"zosia"},"emails":["zosia@kazimierz.example"]}
            """
        let token = "\(header).\(Base64URL.encode(Array(claims.utf8))).zosia"
        let info = Base64URL.encode(Array(#"{"uid":"\#(Self.id)-b2c_1_vip","utid":"\#(Self.id)","vip":1}"#.utf8))
        let body = """
            {"access_token":"a.b.c.d.e","id_token":"\(token)","expires_in":"3600","expires_on":1790000000,
             "refresh_token":"Marzipan77665544.nadel","refresh_token_expires_in":1209600,"client_info":"\(info)",
             "token_type":"Bearer","scope":"https://kazimierz.onmicrosoft.com/nadel"}
            """
        let recording = try await recording(of: [
            (body, .response(status: 200, form: "grant_type=urn:ietf:params:oauth:grant-type:device_code"))
        ])
        #expect(recording.captures.map { $0["message"]?.string } == ["token-response", "id-token", "client-info"])
        #expect(recording.captures.allSatisfy { $0["grant"]?.string == "device_code" })
        #expect(recording.replacedNames == ["zosia", "address", "wrona", "vip"])
        #expect(
            Self.shapes(recording.captures[0]["members"]) == [
                #"access_token {"type":"string","format":"text"}"#, #"id_token {"type":"string","format":"jwt"}"#,
                #"expires_in {"type":"string","format":"seconds-string"}"#,
                #"expires_on {"type":"number","format":"epoch"}"#,
                #"refresh_token {"type":"string","format":"text"}"#,
                #"refresh_token_expires_in {"type":"number","format":"seconds"}"#,
                #"client_info {"type":"string","format":"text"}"#,
                #"token_type {"type":"string","value":"Bearer"}"#, #"scope {"type":"string","format":"address"}"#,
            ])
        #expect(
            Self.shapes(recording.captures[1]["header"]) == [
                #"alg {"type":"string","value":"RS256"}"#, #"kid {"type":"string","format":"text"}"#,
                #"x5t {"type":"string","format":"text"}"#, #"{own claim 1} {"type":"number"}"#,
            ])
        #expect(
            Self.shapes(recording.captures[1]["members"]) == [
                #"exp {"type":"number","format":"epoch"}"#, #"auth_time {"type":"string","format":"epoch-string"}"#,
                #"oid {"type":"string","format":"guid"}"#, #"email_verified {"type":"boolean"}"#,
                #"newUser {"type":"boolean"}"#, #"phone_number {"type":"string","format":"text"}"#,
                #"iss {"type":"string","format":"address"}"#, #"nonce {"type":"string","format":"text"}"#,
                #"acr {"type":"string","format":"text"}"#,
                #"{own claim 2} {"type":"object","members":{"{own claim 3}":{"type":"string","format":"text"}}}"#,
                #"emails {"type":"array","of":{"type":"string","format":"email"}}"#,
            ])
        #expect(
            Self.shapes(recording.captures[2]["members"]) == [
                #"uid {"type":"string","format":"text"}"#, #"utid {"type":"string","format":"guid"}"#,
                #"{own claim 1} {"type":"number"}"#,
            ])
    }

    @Test("writes what a service can do, and the numbers of errors")
    func describesCapabilities() async throws {
        let body = """
            {"claims_supported":["oid","emails"],"scopes_supported":["openid"],"response_types_supported":["code id_token"],
             "extension_zosia_supported":["openid"],"request_uri_parameter_supported":false,"roles":["openid"],
             "subject_types_supported":["pairwise","zosia"],"error_codes":[50126],"code":["none"]}
            """
        let recording = try await recording(of: [(body, .response(status: 200, form: "grant_type=zosia"))])
        #expect(recording.captures[0]["grant"] == nil)
        #expect(
            Self.shapes(recording.captures[0]["members"]) == [
                #"claims_supported {"type":"array","values":["oid","emails"]}"#,
                #"scopes_supported {"type":"array","values":["openid"]}"#,
                #"response_types_supported {"type":"array","values":["code id_token"]}"#,
                #"{own claim 1} {"type":"array","of":{"type":"string","format":"text"}}"#,
                #"request_uri_parameter_supported {"type":"boolean","value":false}"#,
                #"roles {"type":"array","of":{"type":"string","format":"text"}}"#,
                #"subject_types_supported {"type":"array","of":{"type":"string","value":"pairwise"}}"#,
                #"error_codes {"type":"array","values":[50126]}"#,
                #"code {"type":"array","of":{"type":"string","format":"text"}}"#,
            ])
    }

    @Test(
        "describes the policy and the host that were asked",
        arguments: [
            (address, #"{"host":"b2clogin.com","policy":"user-flow","form":"?p="}"#),
            (
                "https://login.zosia.example/nadel/oauth2/v2.0/token?p=B2C_1A_wrona",
                #"{"host":"custom domain","policy":"custom","form":"?p="}"#
            ),
            (
                "http://localhost:8480/nadel/b2c_1_vip/oauth2/v2.0/token",
                #"{"host":"this machine","policy":"user-flow","form":"path"}"#
            ),
        ])
    func describesEndpoint(address: String, settings: String) async throws {
        let recording = try await recording(of: [("{}", .response(status: 200, form: nil))], from: address)
        #expect(JSONText.compact(try #require(recording.captures[0]["settings"])) == settings)
    }

    private static func shapes(_ members: JSONNode?) -> [String] {
        (members?.members ?? []).map { "\($0.name) \(JSONText.compact($0.node))" }
    }

    @Test("describes hundreds of the tenant’s own claims")
    func describesManyClaims() async throws {
        let body = JSONNode.object((0..<300).map { .init("nadel\($0)", Self.text($0)) })
        let recording = try await recording(of: [(JSONText.compact(body), .response(status: 200, form: nil))])
        let text = recording.text
        #expect(text.contains("{own claim 300}"))
    }
}
