public import Testing

/// A test that needs a real browser: skipped, visibly, where there is none. Its time limit is the driver's: after two
/// minutes the browser is gone and the test fails.
public struct BrowserTrait: SuiteTrait, TestTrait {
    /// Every test of a suite gets the trait.
    public var isRecursive: Bool { true }

    /// Skips the test when the browser is missing, unless `SUSI_DEMAND_BROWSER` is set.
    public func prepare(for test: Test) async throws {
        let condition = ConditionTrait.enabled(
            if: Chromium.isAvailable, "needs chromium and chromedriver on PATH (Debian: chromium, chromium-driver)")
        try await condition.prepare(for: test)
    }
}

extension Trait where Self == BrowserTrait {
    /// Needs a real browser; see `BrowserTrait`.
    public static var browser: Self { Self() }
}
