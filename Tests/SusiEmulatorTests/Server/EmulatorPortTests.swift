import Testing

@testable import SusiEmulator

/// The Host headers that name this machine.
@Suite("Ports of the emulator") struct EmulatorPortTests {
    @Test(arguments: [("localhost", 80), ("localhost:8480", 8480), ("127.0.0.1:1", 1), ("[::1]:65535", 65_535)])
    func readsHost(_ host: String, _ number: Int) {
        #expect(EmulatorPort(host: host, isSecure: false)?.number == UInt16(number))
    }

    @Test(
        arguments: [
            "localhostx49153", "localhostx", "localhost.example", "localhost.example:8480", "127.0.0.10:80",
            "127.0.0.1x80",
            "[::1]x80", "[::1]:x", "localhost:1:2", "localhost:", "localhost:0", "localhost:65536", "localhost:8480x",
            "localhost: 80", "",
            "elsewhere.example",
        ])
    func refusesOtherHost(_ host: String) { #expect(EmulatorPort(host: host, isSecure: false) == nil) }
}
