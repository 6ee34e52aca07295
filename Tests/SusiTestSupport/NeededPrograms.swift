package import Testing

/// Tests that need other programs are skipped without them. A variable for each of these turns the skip into a failure.
extension Trait where Self == ConditionTrait {
    /// Needs a real browser, or `SUSI_DEMAND_BROWSER`. The driver limits the time: after 280 seconds the browser ends and the
    /// test fails.
    package static var browser: Self {
        .enabled(
            if: Chromium.isAvailable, "needs chromium and chromedriver on PATH (Debian: chromium, chromium-driver)")
    }

    /// Needs an independent identity server, or `SUSI_DEMAND_FOREIGN`.
    package static var foreign: Self {
        .enabled(if: Glewlwyd.isAvailable, "needs the identity server glewlwyd (Debian: glewlwyd)")
    }

    /// Needs a key service, or `SUSI_DEMAND_KEYRING`.
    package static var keyService: Self {
        .enabled(if: KeyService.isAvailable, "needs a key service (Debian: dbus, gnome-keyring, libsecret-tools)")
    }

    /// Needs bash, zsh and fish, or `SUSI_DEMAND_SHELLS`.
    package static var shells: Self {
        .enabled(
            if: ["bash", "zsh", "fish"].allSatisfy { TestEnvironment.program($0) != nil }
                || TestEnvironment.variable("SUSI_DEMAND_SHELLS") != nil,
            "needs bash, zsh and fish (Debian: bash, zsh, fish)")
    }
}
