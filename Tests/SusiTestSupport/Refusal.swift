package import Susi
package import Testing

/// Expects that `body` fails with an error of this code, and returns the error.
@discardableResult
package func expectRefusal<T>(
    _ code: SusiError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> T
) async -> SusiError? {
    let error = await #expect(throws: SusiError.self, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.code == code, "\(error.map { "\($0)" } ?? "no error")", sourceLocation: sourceLocation)
    return error
}
