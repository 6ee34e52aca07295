import Susi
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Second factors of native authentication: a code to a registered method.
@Suite("Native second factor", .inTurn, .timeLimit(.minutes(5)))
struct NativeFactorSignInTests {
    private static let ana = LocalTenant.Person.ana.email
    private static let mia = NativeStage.mia.signInName

    private static func withFactor(
        _ change: @Sendable (inout User) -> Void = { _ in }, _ body: (NativeStage) async throws -> Void
    ) async throws {
        try await NativeStage.with(
            configure: {
                $0.changeSettings { $0.multiFactor = .always }
                change(&$0.users[0])
            }, body)
    }

    @Test("after the password, the code goes to the only method")
    func sendsCodeToOnlyMethod() async throws {
        try await Self.withFactor {
            $0.phone = "+4930901820"
        } _: { stage in
            try await stage.client(signsIn: Self.ana, password: NativeStage.password)
            #expect(try stage.messages().map(\.recipient) == ["+4930901820"])
            let order = stage.steps().filter { !["keys", "openid-configuration"].contains($0) }
            #expect(order == ["initiate", "challenge", "token", "introspect", "challenge", "token"])
        }
    }

    @Test("a code by email and a code by phone are two codes, each sent once")
    func asksForTwoCodes() async throws {
        try await Self.withFactor { stage in
            try await stage.client(signsIn: Self.mia)
            #expect(try stage.messages().map(\.recipient) == ["+4930901820", Self.mia])
            #expect(stage.steps().count { $0 == "token" } == 2)
        }
    }

    @Test("a password alone, without a terminal, needs a code command for the second factor")
    func namesCodeCommand() async throws {
        try await Self.withFactor {
            $0.factorEmail = "ana@home.example"
        } _: { stage in
            try await stage.signIn(Self.ana, password: NativeStage.password).exits(4, saying: "--code-command")
            #expect(try stage.messages().isEmpty, "a code was sent that cannot be read")
            #expect(try await stage.tenant.client().accounts().isEmpty)
        }
    }
}
