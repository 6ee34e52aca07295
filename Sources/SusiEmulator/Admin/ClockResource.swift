import SusiBase
import SusiPolicies

enum ClockResource {
    static let setting = SchemaNode.object([
        .init("now", .time), .init("offset", .shift), .init("frozen", .flag),
    ])
    static let step = SchemaNode.object([.init("seconds", .shift, required: true)])
    static let moment = SchemaNode.object([.init("at", .time)])

    static func show(_ request: AdminRequest) throws -> Response { try shown(request.site.clock) }

    private static func shown(_ clock: EmulatorClock) throws -> Response {
        .json([
            "now": .integer(clock.now()), "frozen": .bool(clock.isFrozen), "offset": .integer(clock.offset),
        ])
    }

    static func set(_ request: AdminRequest) throws -> Response {
        let (clock, body) = (request.site.clock, request.body)
        guard body["now"] == nil || body["offset"] == nil else {
            throw AdminProblem.field("offset", "cannot be combined with “now”")
        }
        clock.resume()
        if let offset = body["offset"]?.lenientInteger {
            clock.reset()
            clock.advance(by: offset)
        }
        if let now = body["now"]?.lenientInteger { clock.set(to: now) }
        if body["frozen"]?.bool == true { clock.freeze() }
        return try shown(clock)
    }

    static func advance(_ request: AdminRequest) throws -> Response {
        request.site.clock.advance(by: request.body["seconds"]?.lenientInteger ?? 0)
        return try shown(request.site.clock)
    }

    static func freeze(_ request: AdminRequest) throws -> Response {
        request.site.clock.freeze(at: request.body["at"]?.lenientInteger)
        return try shown(request.site.clock)
    }

    static func resume(_ request: AdminRequest) throws -> Response {
        request.site.clock.resume()
        return try shown(request.site.clock)
    }
}

extension SchemaNode {
    fileprivate static let time = integer(EmulatorClock.times)
    fileprivate static let shift = integer(-EmulatorClock.times.upperBound...EmulatorClock.times.upperBound)
}
