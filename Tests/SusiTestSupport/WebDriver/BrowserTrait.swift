package import Testing

/// A trait for tests that need a real browser; without one they are reported as skipped. The driver limits the time: after
/// 280 seconds the browser ends and the test fails.
package struct BrowserTrait: SuiteTrait, TestTrait {
    /// Every test of a suite gets the trait.
    package var isRecursive: Bool { true }

    /// Skips the test if the browser is missing, unless `SUSI_DEMAND_BROWSER` is set.
    package func prepare(for test: Test) async throws {
        let condition = ConditionTrait.enabled(
            if: Chromium.isAvailable, "needs chromium and chromedriver on PATH (Debian: chromium, chromium-driver)")
        try await condition.prepare(for: test)
    }
}

extension Trait where Self == BrowserTrait {
    /// Needs a real browser; see `BrowserTrait`.
    package static var browser: Self { Self() }
}
