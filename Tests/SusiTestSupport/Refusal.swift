package import Susi
package import Testing

/// Expects that `body` fails with an error of this code, whose reason or next step contains a text, and returns the error.
@discardableResult
package func expectRefusal<T>(
    _ code: SusiError.Code, why: String = "", next: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> T
) async -> SusiError? {
    let error = await #expect(throws: SusiError.self, sourceLocation: sourceLocation) { _ = try await body() }
    let isExpected = error.map { found in
        found.code == code && (why.isEmpty || found.why.contains(why)) && (next.isEmpty || found.next.contains(next))
    }
    #expect(isExpected == true, "\(error.map { "\($0) \($0.next)" } ?? "no error")", sourceLocation: sourceLocation)
    return error
}
