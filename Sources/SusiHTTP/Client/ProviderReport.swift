public import SusiOAuth
public import SusiPolicies

/// What a look at an authority found, step by step. Nothing is thrown: what is wrong is gathered.
public struct ProviderReport: Sendable {
    /// The steps, each of which needs the ones before it.
    public enum Step: String, CaseIterable, Sendable {
        /// The decision of `knownAuthorities`, and Microsoft's word on a host that nobody knows.
        case authority
        /// The OpenID configuration: that it is there, its issuer, its endpoints.
        case configuration
        /// The signing keys: that they are there, and that one of them can be used.
        case keys
        /// This machine's clock against the server's.
        case clock
    }

    /// Something that is not as it must be.
    public struct Problem: Sendable {
        /// Where it was found.
        public let step: Step
        /// What it is.
        public let error: any Error
    }

    /// The two clocks are too far apart for tokens to be taken.
    public struct ClockSkew: Error, Hashable, Sendable {
        /// Seconds by which this machine is ahead; negative when it is behind.
        public let seconds: Int64
    }

    /// Who was looked at.
    public let authority: Authority
    /// The entry that allowed it; nil when none did.
    public fileprivate(set) var entry: KnownAuthorities.Entry?
    /// What it says of itself; nil when that was not to be had or not right.
    public fileprivate(set) var metadata: ProviderMetadata?
    /// How many of its keys can check a signature; nil when they were not asked for.
    public fileprivate(set) var usableKeys: Int?
    /// Seconds by which this machine's clock is ahead of the server's; nil when the server did not say its time.
    public fileprivate(set) var clockSkew: Int64?
    /// What is wrong, in the order of the steps.
    public fileprivate(set) var problems: [Problem] = []

    fileprivate init(_ authority: Authority) { self.authority = authority }

    fileprivate mutating func add(_ step: Step, _ error: any Error) {
        problems.append(Problem(step: step, error: error))
    }
}

extension Provider {
    /// Looks at an authority as a sign-in would, and says all that it found. No cache is read or written.
    public static func examine(
        _ authority: Authority, known: KnownAuthorities, client: WebClient, clock: @Sendable () -> Int64
    ) async -> ProviderReport {
        var report = ProviderReport(authority)
        do {
            report.entry = try await entry(authority, known, DocumentReader(client: client, cache: nil))
        } catch {
            report.add(.authority, error)
            return report
        }
        do {
            let answer = try await client.get(authority.discovery)
            report.compareClock(answer.date, clock())
            guard answer.status == 200 else {
                throw UnexpectedAnswer(
                    address: authority.discovery, status: answer.status, retryAfter: answer.retryAfter)
            }
            for violation in ProviderMetadata.violations(in: answer.body, of: authority, known: known) {
                report.add(.configuration, violation)
            }
            report.metadata = try? ProviderMetadata(parsing: answer.body, of: authority, known: known)
        } catch { report.add(.configuration, error) }
        if let metadata = report.metadata { await report.examineKeys(metadata, client) }
        return report
    }
}

extension ProviderReport {
    fileprivate mutating func examineKeys(_ metadata: ProviderMetadata, _ client: WebClient) async {
        do {
            let answer = try await client.get(metadata.keysEndpoint)
            guard answer.status == 200 else {
                throw UnexpectedAnswer(
                    address: metadata.keysEndpoint, status: answer.status, retryAfter: answer.retryAfter)
            }
            let keys = try KeySet(parsing: answer.body)
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
