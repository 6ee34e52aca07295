package import Testing

/// A trait for tests that need an independent identity server; without one they are reported as skipped.
package struct ForeignTrait: SuiteTrait, TestTrait {
    /// Every test of a suite gets the trait.
    package var isRecursive: Bool { true }

    /// Skips the test if the server is missing, unless `SUSI_DEMAND_FOREIGN` is set.
    package func prepare(for test: Test) async throws {
        let condition = ConditionTrait.enabled(
            if: Glewlwyd.isAvailable, "needs the identity server glewlwyd (Debian: glewlwyd)")
        try await condition.prepare(for: test)
    }
}

extension Trait where Self == ForeignTrait {
    /// Needs an independent identity server; see `ForeignTrait`.
    package static var foreign: Self { Self() }
}
