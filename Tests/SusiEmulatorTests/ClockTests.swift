import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("The emulator's clock")
struct ClockTests {
    private let clock = EmulatorClock { Scene.start }

    @Test("it moves both ways, stops and runs on from where it stood")
    func movements() {
        clock.advance(by: 90)
        #expect(clock.now() == Scene.start + 90 && clock.offset == 90 && !clock.isFrozen)
        clock.advance(by: -100)
        #expect(clock.now() == Scene.start - 10)
        clock.freeze()
        #expect(clock.now() == Scene.start - 10 && clock.isFrozen)
        clock.advance(by: 20)
        #expect(clock.now() == Scene.start + 10 && clock.isFrozen && clock.offset == 10)
        clock.set(to: 1_900_000_000)
        clock.resume()
        #expect(clock.now() == 1_900_000_000 && !clock.isFrozen)
        clock.reset()
        #expect(clock.now() == Scene.start && clock.offset == 0)
    }

    @Test("a frozen clock stands still while the given one runs; a resumed one runs again")
    func frozen() {
        let given = EmulatorClock { Scene.start }
        let clock = EmulatorClock { given.now() }
        clock.freeze(at: 1_700_000_000)
        given.advance(by: 60)
        #expect(clock.now() == 1_700_000_000)
        clock.resume()
        given.advance(by: 60)
        #expect(clock.now() == 1_700_000_060)
    }

    @Test("no movement leads out of the years 1970 to 9999", arguments: [Int64.min, -Scene.start - 1, .max, 1 << 60])
    func ends(seconds: Int64) {
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

    @Test("tokens follow it", .inTurn, .timeLimit(.minutes(2)))
    func tokens() async throws {
        try await withScene { scene in
            scene.emulator.clock.freeze(at: Scene.start + 7_000)
            let tokens = try await scene.tokens()
            #expect(try tokens.claims("id_token")["iat"]?.integer == Scene.start + 7_000)
            #expect(try tokens.claims("access_token")["exp"]?.integer == Scene.start + 10_600)
            scene.emulator.clock.set(to: Scene.start + 7_000 + 15 * 86_400)
            let late = try await scene.refresh(tokens["refresh_token"]?.string).json
            #expect(late.code == 90_080)
        }
    }

    @Test("Date headers have the real time, in the format of RFC 9110")
    func dateHeader() async throws {
        #expect(httpDate(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(httpDate(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        try await withScene { scene in
            scene.emulator.clock.set(to: 0)
            let before = scene.emulator.clock.realTime()
            let date = try await scene.browser().get("\(scene.emulator.origin)/").header("Date")
            let possible = (before...scene.emulator.clock.realTime()).map(httpDate)
            #expect(possible.contains(date ?? ""))
        }
    }
}
