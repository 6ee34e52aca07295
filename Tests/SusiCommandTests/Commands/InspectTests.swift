import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// `inspect` and `status --claims`: the claims of a token and the checks of it. What they print is in the catalog of reports.
@Suite("Inspect", .inTurn, .timeLimit(.minutes(5)))
struct InspectTests {
    @Test("a token is read from a header and from a file, too")
    func readsHeaderAndFile() async throws {
        try await withLocalTenant { tenant, susi in
            #expect(try await susi.refusal("inspect").status == 4)
            try await tenant.signIn(.ana)
            let header = try await susi.run("token", "-f", "header").standardOutput
            let json = try await susi.run("inspect", "-", "--json", input: header).json()
            #expect(json["isValid"]?.bool == true && json["policy"]?.string == "B2C_1_susi")
            let file = susi.home.folder.appending("token.txt")
            try file.write(try await susi.run("token").standardOutput)
            #expect(try await susi.run("inspect", "@\(file)").standardOutput.hasPrefix("valid "))
        }
    }

    @Test("an access token of RFC 9068 is read, checked and named as such")
    func readsAccessTokenOfRFC9068() async throws {
        try await withLocalTenant(policies: onlyApplication("openid", "login", more: helloAPI), signedIn: [.ana]) {
            tenant in
            let token = try await tenant.client().token(api: nil, of: AccountSelection()).secret
            let access = try await tenant.susi.run("inspect", "-", input: token)
            #expect(access.status == 0 && access.standardOutput.hasPrefix("valid "), "\(access)")
            #expect(access.standardOutput.contains("RFC 9068"))
            #expect(access.standardOutput.contains("at+jwt"))
            let id = try await tenant.susi.run("inspect")
            #expect(id.standardOutput.hasPrefix("valid ") && !id.standardOutput.contains("RFC 9068"), "\(id)")
        }
    }

    @Test func showsTimesOutOfRange() async throws {
        try await withSusi { susi in
            for (exp, nbf) in [(Int64.min, Int64.max), (.max, .min)] {
                let claims = Base64URL.encode("{\"exp\":\(exp),\"nbf\":\(nbf)}".utf8)
                let token = "\(Base64URL.encode(#"{"alg":"RS256"}"#.utf8)).\(claims).AAAA"
                for more in [[], ["--json"]] {
                    let outcome = try await susi.command(["inspect", "-", "--offline"] + more, input: .text(token))
                        .run()
                    #expect(outcome.status < 128, "\(outcome)")
                    #expect(outcome.standardOutput.contains("\(exp)"), "\(outcome)")
                    // RFC 3339 has a year of four digits.
                    let isLate = outcome.standardOutput.contains("not valid before 9999-12-31T23:59:59Z")
                    #expect(isLate == (nbf > 0), "\(outcome)")
                }
            }
        }
    }

    @Test("a token is valid only after its signature was checked")
    func callsTokenValidOnlyAfterSignatureCheck() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant, susi in
            let token = try await tenant.client().token(api: nil, of: AccountSelection()).secret
            let none = Base64URL.encode(#"{"alg":"none"}"#.utf8)
            let unsigned = "\(none).\(token.split(separator: ".")[1])."
            try await susi.run("inspect", "-", input: unsigned).exits(7, printing: "not valid")
            let late = try await susi.run("inspect", "-", environment: ["SUSI_CLOCK": "+3h"], input: token)
            #expect(late.status == 7 && late.standardOutput.hasPrefix("not valid now, signed by"), "\(late)")
            // An expired token needs no signature check.
            try await susi.run("inspect", "-", "--offline", environment: ["SUSI_CLOCK": "+3h"], input: token).exits(7)
            #expect(!token.isEmpty && !late.standardOutput.contains(token))
        }
    }

    @Test("opaque and foreign tokens, an error of B2C, and hostile claims")
    func showsOtherTexts() async throws {
        try await withSusi { susi in
            try await susi.run("inspect", "-", "--offline", input: "0.AXoAsome-refresh-token").exits(0)
            let encode = { (text: String) in Base64URL.encode(text.utf8) }
            let claims = encode(
                #"{"iss":"https://evil.example/","aud":"x","exp":1,"name":"a\u001b[2J","o":{"t":"a\tb\n\u202e"}}"#)
            let head = encode(#"{"alg":"RS256"}"#)
            try await susi.run("inspect", "-", input: "\(head).\(claims).AAAA").exits(
                7, printing: #"a\u{1b}[2J"#, #""t": "a\tb\n\u202e""#)
            let error = try await susi.run(
                "inspect", "-", input: "AADB2C90080: The provided grant has expired.\r\nCorrelation ID: x")
            #expect(error.standardOutput.contains("the refresh token has expired; next: sign in"))
            for empty in ["", " \n", "Bearer \n", "Authorization: Bearer"] {
                try await susi.run("inspect", "-", input: empty).exits(64, saying: "susi token | susi inspect -")
            }
        }
    }

    @Test("status gives the reason for the chosen account, and shows its claims")
    func statusExplainsChoiceOfAccount() async throws {
        let name = "Eve\u{1b}[2J"
        try await withLocalTenant(configure: { $0.users[2].displayName = name }, signedIn: [.ben, .chi]) { _, susi in
            try await susi.run("status", "--all").exits(0, printing: "local, the only one")
            try await susi.run("status", "-a", "ben@contoso.example", "-p", "B2C_1_susi").exits(
                0, printing: "Ben Okoro", "-a names ben@", hiding: "B2C_1_partner")
            try await susi.run(
                "status", "--all", environment: ["SUSI_POLICY": "B2C_1_partner", "SUSI_APPLICATION": "local"]
            ).exits(4, printing: "B2C_1_partner, SUSI_POLICY", "local, SUSI_APPLICATION")
            try await susi.run("status", "--claims").exits(0, printing: #"Eve\u{1b}[2J"#, hiding: "\u{1b}")
            let json = try await susi.run("status", "--claims", "--json").json()
            #expect(json["policies"]?.array?.first?["claims"]?["name"]?.string == name)
        }
    }
}
