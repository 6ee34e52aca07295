struct Options {
    static let usage = """
        usage: Benchmarks home FOLDER ACCOUNTS
               Benchmarks NAME --a 'COMMAND' --b 'COMMAND' [--at-most RATIO] [--pairs N] [--warm-ups N] [--core N|any]

        `home` makes a SUSI_HOME with so many accounts and valid tokens. Otherwise it times whole processes, A and B in turn, on one core, and prints medians and the median of the pairs' ratios A / B.
        A COMMAND is words separated by spaces: NAME=VALUE for its environment, an absolute path, arguments.
        Exit status 1 when the ratio is above --at-most, 64 when the command line is wrong.
        """

    struct Wrong: Error, CustomStringConvertible { let description: String }

    var name = ""
    var a: [String] = []
    var b: [String] = []
    var atMost: Double?
    var pairs = 200
    var warmUps = 20
    var core: Int32? = 0

    init(_ arguments: [String]) throws(Wrong) {
        var rest = arguments[...]
        name = rest.popFirst() ?? ""
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Wrong(description: "\(option) needs a value") }
            try set(option, value)
        }
        guard !name.isEmpty, !name.hasPrefix("-") else { throw Wrong(description: "a NAME comes first") }
        guard !a.isEmpty, !b.isEmpty else { throw Wrong(description: "--a and --b are needed") }
    }

    private mutating func set(_ option: String, _ value: String) throws(Wrong) {
        switch option {
        case "--a": a = Self.words(value)
        case "--b": b = Self.words(value)
        case "--at-most": atMost = try Self.number(Double.init, option, value)
        case "--pairs": pairs = try Self.number({ Int($0) }, option, value)
        case "--warm-ups": warmUps = try Self.number({ Int($0) }, option, value)
        case "--core": core = value == "any" ? nil : try Self.number({ Int32($0) }, option, value)
        default: throw Wrong(description: "unknown option \(option)")
        }
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    private static func number<T: Comparable & ExpressibleByIntegerLiteral>(
        _ read: (String) -> T?, _ option: String, _ text: String
    ) throws(Wrong) -> T {
        guard let value = read(text), value >= 0 else {
            throw Wrong(description: "\(option) needs a number of 0 or more, not “\(text)”")
        }
        return value
    }
}
