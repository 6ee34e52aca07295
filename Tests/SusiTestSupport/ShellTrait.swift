public import Testing

/// A trait for tests that type into a real shell; without one they are reported as skipped.
public struct ShellTrait: TestTrait {
    private static let programs = ["bash", "zsh", "fish"]

    /// Skips the test if a shell is missing, unless `SUSI_DEMAND_SHELLS` is set.
    public func prepare(for test: Test) async throws {
        let isAvailable =
            Self.programs.allSatisfy { TestEnvironment.program($0) != nil }
            || TestEnvironment.variable("SUSI_DEMAND_SHELLS") != nil
        let condition = ConditionTrait.enabled(if: isAvailable, "needs bash, zsh and fish (Debian: bash, zsh, fish)")
        try await condition.prepare(for: test)
    }
}

extension Trait where Self == ShellTrait {
    /// Needs bash, zsh and fish; see `ShellTrait`.
    public static var shells: Self { Self() }
}
