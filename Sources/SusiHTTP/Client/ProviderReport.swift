package import SusiOAuth
package import SusiPolicies

/// The results of checking an authority step by step. Problems are collected, not thrown.
package struct ProviderReport: Sendable {
    /// The steps; each needs the ones before it.
    package enum Step: String, CaseIterable, Sendable {
        /// The decision of `knownAuthorities`, and instance discovery for unknown hosts.
        case authority
        /// The OpenID configuration, its issuer and its endpoints.
        case configuration
        /// The signing keys, one of which must be usable.
        case keys
        /// This machine's clock against the server's.
        case clock
    }

    package struct Problem: Sendable {
        package let step: Step
        package let error: any Error
    }

    /// The clocks differ too much for valid tokens.
    package struct ClockSkew: Error, Hashable, Sendable {
        /// Seconds by which this machine is ahead; negative if it is behind.
        package let seconds: Int64
    }

    package let authority: Authority
    /// The entry that allowed it, if any.
    package fileprivate(set) var entry: KnownAuthorities.Entry?
    /// The metadata, if it was available and valid.
    package fileprivate(set) var metadata: ProviderMetadata?
    /// The number of usable keys; `nil` if they were not fetched.
    package fileprivate(set) var usableKeys: Int?
    /// Seconds by which this machine's clock is ahead of the server's; `nil` if the server sent no time.
    package fileprivate(set) var clockSkew: Int64?
    /// The problems in the order of the steps.
    package fileprivate(set) var problems: [Problem] = []

    fileprivate init(_ authority: Authority) { self.authority = authority }

    fileprivate mutating func add(_ step: Step, _ error: any Error) {
        problems.append(Problem(step: step, error: error))
    }
}

extension Provider {
    /// Checks an authority as a sign-in would, and reports all results. The cache is not used.
    package static func examine(
        _ authority: Authority, known: KnownAuthorities, client: WebClient, clock: @Sendable () -> Int64
    ) async -> ProviderReport {
        var report = ProviderReport(authority)
        do {
            report.entry = try await entry(
                for: authority, known: known, documents: DocumentReader(client: client, cache: nil))
        } catch {
            report.add(.authority, error)
            return report
        }
        do {
            let response = try await client.get(authority.discovery)
            report.compareClock(response.date, clock())
            try response.requireDocument(at: authority.discovery)
            for violation in ProviderMetadata.violations(in: response.body, of: authority, known: known) {
                report.add(.configuration, violation)
            }
            report.metadata = try? ProviderMetadata(parsing: response.body, of: authority, known: known)
        } catch { report.add(.configuration, error) }
        if let metadata = report.metadata { await report.examineKeys(metadata, client) }
        return report
    }
}

extension ProviderReport {
    fileprivate mutating func examineKeys(_ metadata: ProviderMetadata, _ client: WebClient) async {
        do {
            let keys = try KeySet(parsing: try await client.document(at: metadata.keysEndpoint).body)
            usableKeys = keys.count
            guard keys.count > 0 else {
                throw ProtocolViolation(.keys, "no key can verify a signature", source: "RFC 7518 3.1")
            }
        } catch { add(.keys, error) }
    }

    fileprivate mutating func compareClock(_ date: Int64?, _ now: Int64) {
        guard let date else { return }
        let seconds = now - date
        clockSkew = seconds
        if abs(seconds) > IDTokenRules.skew { add(.clock, ClockSkew(seconds: seconds)) }
    }
}
