import Foundation

/// The part of `.ci/benchmark-emulator` that is not a shell script.
@main
enum Main {
    private static let usage = """
        usage: EmulatorLoad tokens TOKEN-ENDPOINT CLIENT-ID SCOPE [--connections N] [--seconds N] [--rate N] [--process N]
               EmulatorLoad signatures [--seconds N]
               EmulatorLoad users COUNT

        `tokens` refreshes tokens on connections that stay open and prints answers per second and their times; with --rate
        so many in a second, whose times count from when they were due; with --process, answers for each second of that
        process's own time, which other programs on the machine take nothing from. The endpoint is that of a policy that takes
        Ana's password. `signatures` prints how many RS256 signatures one thread makes in a second of its own time with
        swift-crypto, the library that the emulator signs with. `users` prints so many lines for
        `susi emulator run --users`.
        """

    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let options = ["connections", "seconds", "rate", "process"].map { take("--\($0)", from: &arguments) }
        let seconds = options[1] ?? 10
        switch (arguments.first, arguments.count) {
        case ("tokens", 4):
            let load = TokenLoad(
                endpoint: arguments[1], clientID: arguments[2], scope: arguments[3],
                connections: Int(options[0] ?? 16), seconds: seconds, rate: options[2],
                process: options[3].map { Int($0) })
            for line in try await load.run().lines(seconds: seconds) { print(line) }
        case ("signatures", 1): print("signatures \(Int(try Signing.perSecond(during: seconds)))")
        case ("users", 2): Users.write(Int(arguments[1]) ?? 0)
        default:
            print(usage)
            exit(64)
        }
    }

    private static func take(_ name: String, from arguments: inout [String]) -> Double? {
        guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
        defer { arguments.removeSubrange(place...place + 1) }
        return Double(arguments[place + 1])
    }
}

/// Users with different names and one password.
enum Users {
    static func write(_ count: Int) {
        for number in 0..<count {
            print(#"{"email":"user\#(number)@load.example","givenName":"User","surname":"Number \#(number)"}"#)
        }
    }
}
