import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("The emulator's clock")
struct ClockTests {
    private let clock = EmulatorClock { EmulatorFixture.start }

    @Test("moves forward and back, freezes, and continues from there")
    func movesBothWays() {
        clock.advance(by: 90)
        #expect(clock.now() == EmulatorFixture.start + 90 && clock.offset == 90 && !clock.isFrozen)
        clock.advance(by: -100)
        #expect(clock.now() == EmulatorFixture.start - 10)
        clock.freeze()
        #expect(clock.now() == EmulatorFixture.start - 10 && clock.isFrozen)
        clock.advance(by: 20)
        #expect(clock.now() == EmulatorFixture.start + 10 && clock.isFrozen && clock.offset == 10)
        clock.set(to: 1_900_000_000)
        clock.resume()
        #expect(clock.now() == 1_900_000_000 && !clock.isFrozen)
        clock.reset()
        #expect(clock.now() == EmulatorFixture.start && clock.offset == 0)
    }

    @Test("keeps a frozen time while the given clock runs")
    func keepsFrozenTime() {
        let given = EmulatorClock { EmulatorFixture.start }
        let clock = EmulatorClock { given.now() }
        clock.freeze(at: 1_700_000_000)
        given.advance(by: 60)
        #expect(clock.now() == 1_700_000_000)
        clock.resume()
        given.advance(by: 60)
        #expect(clock.now() == 1_700_000_060)
    }

    @Test("stays within the years 1970 to 9999", arguments: [Int64.min, -EmulatorFixture.start - 1, .max, 1 << 60])
    func limitsYears(seconds: Int64) {
        clock.advance(by: seconds)
        #expect(clock.now() == (seconds < 0 ? EmulatorClock.times.lowerBound : EmulatorClock.times.upperBound))
        clock.advance(by: 0)
        #expect(EmulatorClock.times.contains(clock.now()))
        clock.freeze(at: seconds)
        #expect(EmulatorClock.times.contains(clock.now()))
        clock.advance(by: seconds)
        clock.resume()
        #expect(EmulatorClock.times.contains(clock.now()))
    }

    @Test("issues tokens at its time; Date headers have the real one", .inTurn, .timeLimit(.minutes(5)))
    func issuesTokensAtItsTime() async throws {
        try await withFixture { fixture in
            fixture.emulator.clock.freeze(at: EmulatorFixture.start + 7_000)
            let tokens = try await fixture.tokens()
            #expect(try tokens.claims("id_token")["iat"]?.integer == EmulatorFixture.start + 7_000)
            #expect(try tokens.claims("access_token")["exp"]?.integer == EmulatorFixture.start + 10_600)
            fixture.emulator.clock.set(to: EmulatorFixture.start + 7_000 + 15 * 86_400)
            let late = try await fixture.refresh(tokens["refresh_token"]?.string).json
            #expect(late.code == 90_080)
            // Date headers have the real time, in the format of RFC 9110.
            #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
            fixture.emulator.clock.set(to: 0)
            let before = fixture.emulator.clock.realTime()
            let date = try await fixture.browser().get("/").header("Date")
            let possible = (before...fixture.emulator.clock.realTime()).map(HTTPDate.text)
            #expect(possible.contains(date ?? ""))
        }
    }
}
