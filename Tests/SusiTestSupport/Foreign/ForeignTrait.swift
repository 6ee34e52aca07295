public import Testing

/// A test that needs an identity server which is not ours: skipped, visibly, where there is none.
public struct ForeignTrait: SuiteTrait, TestTrait {
    /// Every test of a suite gets the trait.
    public var isRecursive: Bool { true }

    /// Skips the test when the server is missing, unless `SUSI_DEMAND_FOREIGN` is set.
    public func prepare(for test: Test) async throws {
        let condition = ConditionTrait.enabled(
            if: Glewlwyd.isAvailable, "needs the identity server glewlwyd (Debian: glewlwyd)")
        try await condition.prepare(for: test)
    }
}

extension Trait where Self == ForeignTrait {
    /// Needs an identity server which is not ours; see `ForeignTrait`.
    public static var foreign: Self { Self() }
}
