import Susi

/// The difference between the origins of a trusted policies file and those of the current content.
struct TrustChange: CustomStringConvertible {
    private let added: [String]
    private let removed: [String]

    /// Returns `nil` if the origins of the trusted content were not recorded.
    init?(from trusted: [String]?, to now: [String]) {
        guard let trusted else { return nil }
        added = now.filter { !trusted.contains($0) }
        removed = trusted.filter { !now.contains($0) }
    }

    var description: String {
        if added.isEmpty, removed.isEmpty { return "it names the same hosts; other settings changed" }
        let new = added.isEmpty ? nil : "it now also names \(added.joined(separator: ", "))"
        let old = removed.isEmpty ? nil : "it no longer names \(removed.joined(separator: ", "))"
        return [new, old].compactMap(\.self).joined(separator: "; ")
    }
}

extension PoliciesFile {
    /// The origins on other machines that the file names.
    var foreignOrigins: [String] { Array(Set(applications.flatMap(\.foreignOrigins))).sorted() }
}

extension Application {
    /// The origins on other machines that the application names.
    var foreignOrigins: [String] { Array(Set(destinations.filter { !$0.isLoopback }.map(\.origin))).sorted() }
}
