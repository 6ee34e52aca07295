import HTTPTypes
import SusiBase
import SusiPolicies

/// A request to the admin API whose parameters and body the route knows.
struct AdminRequest: Sendable {
    let site: Site
    let context: RequestContext
    /// The parameters of the path, by name.
    let path: [String: String]
    let query: Parameters
    /// A body that follows the route's schema; an empty object if none was sent.
    let body: JSONNode

    /// The tenant in the query, or the first one.
    func tenant() throws(AdminProblem) -> Tenant {
        let name = query["tenant"]
        guard let tenant = site.tenant(name) else {
            let served = site.tenants.map(\.label).joined(separator: ", ")
            throw AdminProblem(.notFound, "No tenant “\(name ?? "")”. Tenants: \(served).", field: "tenant")
        }
        return tenant
    }

    /// A number in the query.
    func number(_ name: String, _ range: ClosedRange<Int64>) throws(AdminProblem) -> Int64? {
        guard let text = query[name] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw .field(name, "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The maximum number of results.
    func limit() throws(AdminProblem) -> Int { Int(try number("limit", 1...1_000) ?? 100) }
}

extension Site {
    /// The tenant with that name or id, ignoring case; the first one for nil.
    func tenant(_ name: String?) -> Tenant? {
        guard let name else { return tenants.first }
        return tenants.first { $0.spelling(name) != nil }
    }
}

extension SchemaNode {
    /// Checks a body. In a patch, null removes a member (RFC 7396).
    func check(_ body: JSONNode, isPatch: Bool) throws(AdminProblem) {
        let given = isPatch && body.isObject ? JSONNode.object([]).merged(body) : body
        do { try SchemaCheck(file: "").check(given, self) } catch { throw AdminProblem(error) }
    }
}

extension JSONNode {
    /// This value after a merge patch (RFC 7396): null removes a member.
    func merged(_ patch: JSONNode) -> JSONNode {
        guard case .object(let changes) = patch.value else { return patch }
        var members = members
        for change in changes {
            let known = members.firstIndex { $0.name == change.name }
            let old = known.map { members.remove(at: $0).node } ?? [:]
            guard change.node.value != .null else { continue }
            members.append(Member(change.name, old.merged(change.node), line: change.line))
        }
        return JSONNode(value: .object(members), line: line)
    }
}
