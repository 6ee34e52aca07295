import Susi

enum ExitCodes: Int32, CaseIterable {
    case done = 0
    case failed = 1
    case cancelled = 2
    case network = 3
    case signInNeeded = 4
    case unknown = 5
    case store = 6
    case notSafe = 7
    case api = 8
    case usage = 64
    case notExecutable = 126
    case notFound = 127

    init(_ code: SusiError.Code) {
        self =
            switch code {
            case .cancelled: .cancelled
            case .network, .timeout: .network
            case .signInNeeded, .wrongPassword, .noCurrentAccount, .consentNeeded, .scopesDeclined: .signInNeeded
            case .unknownAccount, .ambiguousAccount, .unknownName, .ambiguousName, .invalidConfiguration: .unknown
            case .store: .store
            case .unknownAuthority, .unsafeFile, .invalidResponse, .differentPerson, .outsideAPI: .notSafe
            case .invalidRequest: .usage
            case .refused, .failed: .failed
            }
    }

    private var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed, or refused by the server; compare: different"
        case .cancelled: "cancelled"
        case .network: "network or timeout"
        case .signInNeeded: "sign-in needed"
        case .unknown: "unknown or ambiguous account, policy or application; unusable policies file"
        case .store: "store locked, unreadable or damaged"
        case .notSafe: "refused as unsafe: authority, token, person, or a file others may change"
        case .api: "the API answered 400 or above"
        case .usage: "usage error, or a named file cannot be read or written"
        case .notExecutable: "exec: command cannot be started"
        case .notFound: "exec: command not found"
        }
    }

    /// Every exit code of the program with its meaning.
    static var meanings: [(code: Int32, meaning: String)] {
        allCases.map { ($0.rawValue, $0.meaning) } + [
            (130, "ended by Ctrl-C; after another signal: 128 and its number")
        ]
    }

    /// The table that `susi help exit-codes` prints.
    static var rows: [[String]] {
        meanings.map { code, meaning in
            [String(repeating: " ", count: max(0, 3 - "\(code)".count)) + "\(code)", meaning]
        }
    }
}
