import SusiTestSupport
import Testing

@testable import SusiEmulator

/// The error codes of the emulator and those that the client explains: two tables with the same codes.
@Suite("Error codes") struct ErrorCodeTests {
    @Test("the client explains each error code of the emulator")
    func explainsEveryCodeOfTheEmulator() async throws {
        try await withSusi { susi in
            let help = try await susi.run("help", "error-codes").standardOutput
            for code in ErrorCode.allCases {
                #expect(help.contains("AADB2C\(code.b2c.number) "), "\(code)")
            }
        }
    }
}
