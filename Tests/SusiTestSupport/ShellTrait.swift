package import Testing

/// A trait for tests that type into a real shell; without one they are reported as skipped.
package struct ShellTrait: TestTrait {
    private static let programs = ["bash", "zsh", "fish"]

    /// Skips the test if a shell is missing, unless `SUSI_DEMAND_SHELLS` is set.
    package func prepare(for test: Test) async throws {
        let isAvailable =
            Self.programs.allSatisfy { TestEnvironment.program($0) != nil }
            || TestEnvironment.variable("SUSI_DEMAND_SHELLS") != nil
        let condition = ConditionTrait.enabled(if: isAvailable, "needs bash, zsh and fish (Debian: bash, zsh, fish)")
        try await condition.prepare(for: test)
    }
}

extension Trait where Self == ShellTrait {
    /// Needs bash, zsh and fish; see `ShellTrait`.
    package static var shells: Self { Self() }
}
