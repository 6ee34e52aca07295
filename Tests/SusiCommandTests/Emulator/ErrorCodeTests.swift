import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// The error codes of the emulator and those that the client explains: two tables with the same codes.
@Suite("Error codes") struct ErrorCodeTests {
    @Test("the client explains each error code of the emulator")
    func explainsEveryCodeOfTheEmulator() async throws {
        try await withSusi { susi in
            let help = try await susi.run("help", "error-codes").standardOutput
            let codes = ErrorCode.allCases.flatMap { ["AADB2C\($0.b2c.number)", "AADSTS\($0.entra.number)"] }
            let native = try Self.numbersOfNativeErrors().map { "AADSTS\($0)" }
            #expect(native.count > 10)
            for code in Set(codes + native) { #expect(help.contains("\(code) "), "\(code)") }
        }
    }

    // They are in no table: each refusal of native authentication has its own text.
    private static func numbersOfNativeErrors() throws -> [String] {
        let path = ReadmeTests.root.appending("Sources/SusiEmulator/Endpoints/Native/NativeError.swift")
        return try path.text().matches(of: #/\b[0-9]{1,3}(?:_[0-9]{3})+\b/#)
            .map { String($0.0).replacing("_", with: "") }
    }
}
