import Foundation
import Susi
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Second factors of native authentication: a code to a registered method.
@Suite(
    "Native second factor", .inTurn, .enabled("curl is missing", { NativeStage.canReadOutbox }),
    .timeLimit(.minutes(5)))
struct NativeFactorSignInTests {
    private static let ana = LocalTenant.Person.ana.email
    private static let mia = NativeStage.mia.signInName

    private static func withFactor(
        _ change: @Sendable (inout User) -> Void, _ body: (NativeStage) async throws -> Void
    ) async throws {
        try await NativeStage.with(
            configure: {
                $0.changeSettings { $0.multiFactor = .always }
                change(&$0.users[0])
            }, body)
    }

    private static func messages(_ stage: NativeStage) throws -> [OutboxMessage] {
        try #require(try stage.tenant.emulator.site.tenants.first?.database.outbox())
    }

    @Test("after the password, the code goes to the only method")
    func sendsCodeToOnlyMethod() async throws {
        try await Self.withFactor {
            $0.phone = "+4930901820"
        } _: { stage in
            let outcome = try await stage.signIn(Self.ana, password: NativeStage.password, code: "sh code.sh")
            #expect(outcome.status == 0 && outcome.standardOutput.contains("Signed in as Ana Lima"), "\(outcome)")
            #expect(try Self.messages(stage).map(\.recipient) == ["+4930901820"])
            #expect(stage.codesAsked == 1 && stage.openedURLs.isEmpty)
            let order = stage.steps().filter { !["keys", "openid-configuration"].contains($0) }
            #expect(order == ["initiate", "challenge", "token", "introspect", "challenge", "token"])
        }
    }

    @Test("of several methods, the email address gets the code")
    func prefersEmail() async throws {
        try await Self.withFactor {
            $0.phone = "+4930901820"
            $0.factorEmail = "ana@home.example"
        } _: { stage in
            let outcome = try await stage.signIn(Self.ana, password: NativeStage.password, code: "sh code.sh")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try Self.messages(stage).map(\.recipient) == ["ana@home.example"])
        }
    }

    @Test("a code by email and a code by phone are two codes, each sent once")
    func asksForTwoCodes() async throws {
        try await Self.withFactor {
            _ in
        } _: { stage in
            let outcome = try await stage.signIn(Self.mia, code: "sh code.sh")
            #expect(outcome.status == 0 && stage.codesAsked == 2, "\(outcome)")
            #expect(try Self.messages(stage).map(\.recipient) == ["+4930901820", Self.mia])
            #expect(stage.steps().count { $0 == "token" } == 2)
        }
    }

    @Test("a wrong code of a command fails at once; the password alone stores nothing")
    func refusesWrongCode() async throws {
        try await Self.withFactor {
            $0.factorEmail = "ana@home.example"
        } _: { stage in
            let outcome = try await stage.signIn(Self.ana, password: NativeStage.password, code: "echo 00000000")
            #expect(outcome.status == 4 && outcome.standardError.contains("AADSTS50181"), "\(outcome)")
            #expect(stage.steps().count { $0 == "token" } == 2)
            #expect(try Self.messages(stage).count == 1)
            #expect(try await stage.accounts().isEmpty && stage.openedURLs.isEmpty)
        }
    }

    @Test("without a registered method a browser is needed")
    func needsBrowserToRegister() async throws {
        try await Self.withFactor {
            _ in
        } _: { stage in
            let outcome = try await stage.signIn(Self.ana, password: NativeStage.password, code: "sh code.sh")
            #expect(outcome.status == 4 && outcome.standardError.contains("browser"), "\(outcome)")
            #expect(stage.codesAsked == 0 && stage.openedURLs.isEmpty)
            #expect(try await stage.accounts().isEmpty)
        }
    }

    @Test("a password alone, without a terminal, needs a code command for the second factor")
    func namesCodeCommand() async throws {
        try await Self.withFactor {
            $0.factorEmail = "ana@home.example"
        } _: { stage in
            let outcome = try await stage.signIn(Self.ana, password: NativeStage.password)
            #expect(outcome.status == 4, "\(outcome)")
            #expect(try Self.messages(stage).isEmpty, "a code was sent that cannot be read")
            #expect(outcome.standardError.contains("--code-command"), "\(outcome)")
            #expect(try await stage.accounts().isEmpty)
        }
    }
}
