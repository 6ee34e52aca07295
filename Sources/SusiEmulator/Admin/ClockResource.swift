enum ClockResource {
    static func show(_ request: AdminRequest) throws -> AdminResult { shown(request.site.clock) }

    private static func shown(_ clock: EmulatorClock) -> AdminResult {
        .json([
            "now": .integer(clock.now()), "frozen": .bool(clock.isFrozen), "offset": .integer(clock.offset),
        ])
    }

    static func set(_ request: AdminRequest) throws -> AdminResult {
        let (clock, body) = (request.site.clock, request.body)
        clock.resume()
        if let offset = body["offset"]?.integer {
            clock.reset()
            clock.advance(by: offset)
        }
        if let now = body["now"]?.integer { clock.set(to: now) }
        if body["frozen"] == .bool(true) { clock.freeze() }
        return shown(clock)
    }

    static func advance(_ request: AdminRequest) throws -> AdminResult {
        request.site.clock.advance(by: request.body["seconds"]?.integer ?? 0)
        return shown(request.site.clock)
    }

    static func freeze(_ request: AdminRequest) throws -> AdminResult {
        request.site.clock.freeze(at: request.body["at"]?.integer)
        return shown(request.site.clock)
    }

    static func resume(_ request: AdminRequest) throws -> AdminResult {
        request.site.clock.resume()
        return shown(request.site.clock)
    }
}
