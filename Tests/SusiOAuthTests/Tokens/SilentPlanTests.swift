import SusiOAuth
import Testing

@Suite("Silent plan")
struct SilentPlanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var access: (expiresIn: Int64, refreshIn: Int64?)?
        var refresh = SilentPlan.RefreshFacts.absent
        var minimum: Int64?
        var force = false
        let expected: SilentPlan
        var testDescription: String { name }
    }

    static let now: Int64 = 1000
    static let alive = SilentPlan.RefreshFacts.present(expiresOn: now + 1)
    static let dead = SilentPlan.RefreshFacts.present(expiresOn: now)
    static let endless = SilentPlan.RefreshFacts.present(expiresOn: nil)
    static let ended = SilentPlan.interact(.refreshTokenExpired(on: now))
    static let nothing = SilentPlan.interact(.noRefreshToken)

    static let rows = [
        Row(name: "fresh", access: (3600, nil), expected: .use),
        Row(name: "fresh, and a refresh token", access: (3600, nil), refresh: alive, expected: .use),
        Row(name: "exactly the early margin", access: (300, nil), refresh: alive, expected: .use),
        Row(name: "a second under the margin", access: (299, nil), refresh: alive, expected: .refresh),
        Row(name: "under the margin, nothing to refresh with", access: (299, nil), expected: .use),
        Row(name: "under the margin, refresh token dead", access: (1, nil), refresh: dead, expected: .use),
        Row(name: "ended now", access: (0, nil), refresh: alive, expected: .refresh),
        Row(name: "ended, nothing to refresh with", access: (0, nil), expected: nothing),
        Row(name: "ended, refresh token dead", access: (-5, nil), refresh: dead, expected: ended),
        Row(name: "ended, refresh token without end", access: (-5, nil), refresh: endless, expected: .refresh),
        Row(name: "none", refresh: alive, expected: .refresh),
        Row(name: "none, refresh token dead", refresh: dead, expected: ended),
        Row(name: "none at all", expected: nothing),
        Row(name: "the server wants a refresh now", access: (3600, 0), refresh: alive, expected: .refresh),
        Row(name: "the server wants one later", access: (3600, 1), refresh: alive, expected: .use),
        Row(name: "it wants one, and there is nothing", access: (3600, 0), expected: .use),
        Row(name: "forced", access: (3600, nil), refresh: alive, force: true, expected: .refresh),
        Row(name: "forced, nothing to refresh with", access: (3600, nil), force: true, expected: nothing),
        Row(name: "forced, dead", access: (3600, nil), refresh: dead, force: true, expected: ended),
        Row(name: "minimum reached", access: (600, nil), refresh: alive, minimum: 600, expected: .use),
        Row(name: "minimum missed", access: (599, nil), refresh: alive, minimum: 600, expected: .refresh),
        Row(name: "minimum missed, nothing", access: (599, nil), minimum: 600, expected: nothing),
        Row(name: "minimum under the margin", access: (10, nil), refresh: alive, minimum: 10, expected: .use),
        Row(name: "minimum zero, ended now", access: (0, nil), refresh: alive, minimum: 0, expected: .refresh),
        Row(name: "the largest end", access: (Int64.max - now, nil), expected: .use),
    ]

    @Test(arguments: rows)
    func decides(row: Row) {
        let access = row.access.map {
            SilentPlan.AccessFacts(expiresOn: Self.now + $0.expiresIn, refreshOn: $0.refreshIn.map { Self.now + $0 })
        }
        let plan = SilentPlan.make(
            access: access, refresh: row.refresh, minimum: row.minimum, force: row.force, now: Self.now)
        #expect(plan == row.expected)
    }
}
