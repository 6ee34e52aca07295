import SusiBase
import Testing

@testable import SusiJourneys

/// Display controls and the codes that they send.
@Suite struct DisplayControlTests {
    private typealias Fixture = JourneyFixture

    @Test func resetsAPasswordWithACodeOfThePolicy() throws {
        var host = try Fixture.host([Fixture.exchange("ResetPage"), Fixture.exchange("PasswordPage"), Fixture.send()])
        let email = ["email": "ana@contoso.example"]
        let outcome = try host.run { page, host in
            let withCode = email.merging(["code": host.lastCode]) { $1 }
            switch host.pages.count {
            case 1: return page.submit(email)
            case 2: return page.act(.control("Code", action: "SendCode"), email)
            case 3: return page.act(.control("Code", action: "VerifyCode"), email.merging(["code": "1"]) { $1 })
            case 4: return page.act(.control("Code", action: "VerifyCode"), withCode)
            case 5: return page.submit(email)
            default: return page.submit(["newPassword": "Secret-9", "reenterPassword": "Secret-9"])
            }
        }
        #expect(outcome?.claims?["sub"] == "ana")
        #expect(host.users["ana"]?["password"] == "Secret-9" && host.users["ana"]?["displayname"] == "Ana")
        #expect(host.calls.map(\.url) == ["http://localhost/mail"])
        #expect(host.calls.first?.body == #"{"email":"ana@contoso.example","otp":"\#(host.lastCode)"}"#)
        let controls = host.pages.flatMap(\.controls)
        #expect(controls.map(\.verification) == [.open, .open, .sent, .sent, .verified])
        #expect(
            controls.map(\.message) == [
                nil, "The claims for verification control have not been verified.", nil,
                "You have entered the wrong code.", nil,
            ])
        #expect(controls.last?.fields.map(\.isFixed) == [true, true])
    }

    @Test func limitsTheTriesAndTheNumberOfCodes() throws {
        var host = try Fixture.host([Fixture.exchange("ResetPage"), Fixture.send()])
        let fields = ["email": "ana@contoso.example", "code": "1"]
        _ = try host.run { page, host in
            let action = ["SendCode", "SendCode", "SendCode", "VerifyCode", "VerifyCode", "VerifyCode"]
            return host.pages.count > 6 ? nil : page.act(.control("Code", action: action[host.pages.count - 1]), fields)
        }
        let messages = host.pages.flatMap(\.controls).map(\.message)
        #expect(
            messages == [
                nil, nil, nil, "You have exceeded the number of code generation attempts allowed.",
                "You have entered the wrong code.", "You have exceeded the number of retries allowed.",
                "You have exceeded the number of retries allowed.",
            ])
    }

    @Test func runsOnlyControlsOfThePage() throws {
        var host = try Fixture.host([Fixture.combined(), Fixture.exchange("ResetPage"), Fixture.send()])
        _ = try host.run { page, host in
            switch host.pages.count {
            case 1: page.act(.control("Code", action: "SendCode"), ["email": "ana@contoso.example"])
            case 2: page.submit(["email": "ana@contoso.example", "password": "Secret-1"])
            case 3: page.act(.control("Code", action: "Other"), ["email": "ana@contoso.example"])
            default: nil
            }
        }
        #expect(host.outbox.isEmpty && host.pages.last?.controls.first?.verification == .open)
    }

    @Test func acceptsACodeOnceAndInTimeAndForItsAddress() throws {
        let steps = [
            Fixture.exchange("ResetPage"), Fixture.exchange("Redeemed", unless: "objectId"), Fixture.exchange("Again"),
            Fixture.send(),
        ]
        let again = (
            "<DisplayName>Services</DisplayName><TechnicalProfiles>",
            "<DisplayName>Services</DisplayName><TechnicalProfiles><TechnicalProfile Id='Again'><IncludeTechnicalProfile ReferenceId='ResetPage' /></TechnicalProfile>"
        )
        var host = try Fixture.host(steps, replacing: [again])
        var fields = ["email": "ana@contoso.example"]
        _ = try host.run { page, host in
            fields["code"] = host.lastCode
            switch host.pages.count {
            case 1: return page.act(.control("Code", action: "SendCode"), fields)
            case 2:
                return page.act(
                    .control("Code", action: "VerifyCode"), fields.merging(["email": "bob@contoso.example"]) { $1 })
            case 3: return page.act(.control("Code", action: "VerifyCode"), fields)
            case 4: return page.submit(fields.merging(["email": "bob@contoso.example"]) { $1 })
            case 5: return page.act(.control("Code", action: "VerifyCode"), fields)
            default: return nil
            }
        }
        #expect(host.pages.map { $0.controls.first?.verification } == [.open, .sent, .open, .verified, .open, .open])
        #expect(host.pages.last?.controls.first?.message == "You have exceeded the maximum time allowed.")
    }

    @Test func forgetsACodeInTime() throws {
        var host = try Fixture.host([Fixture.exchange("ResetPage"), Fixture.send()])
        host.secondsPerPage = 601
        let email = ["email": "ana@contoso.example"]
        _ = try host.run { page, host in
            switch host.pages.count {
            case 1: page.act(.control("Code", action: "SendCode"), email)
            case 2: page.act(.control("Code", action: "VerifyCode"), email.merging(["code": host.lastCode]) { $1 })
            default: nil
            }
        }
        #expect(host.pages.last?.controls.first?.message == "You have exceeded the maximum time allowed.")
    }
}
