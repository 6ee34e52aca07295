import Susi

extension Application {
    /// The redirect addresses to register at the provider, one of each path; without a port if susi picks a free one.
    var addressesToRegister: [String] {
        let paths = Set(policies.map(\.redirectPath)).sorted()
        let listed = redirectAddresses(paths: paths)
        return listed.isEmpty ? paths.map { "http://localhost\($0 == "/" ? "" : $0)" } : listed
    }
}
