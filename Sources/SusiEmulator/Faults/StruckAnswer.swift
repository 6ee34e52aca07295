import HTTPTypes
import SusiPolicies

extension Faults {
    /// What `work` answers, or what a fault makes of it.
    func answer(
        _ endpoint: Fault.Endpoint, _ tenant: Tenant, _ place: PolicyEndpoint?, _ context: RequestContext,
        _ work: () throws -> Response
    ) throws -> Response {
        guard !isEmpty else { return try work() }
        let client = { context.query["client_id"] ?? context.form["client_id"] }
        let standing = strike(endpoint, tenant, policy: place?.policy.name.spelling, client: client)
        guard let standing else { return try work() }
        var answer: Response
        switch standing.fault.kind {
        case .status(let code, let body, let type, let seconds):
            answer = try Self.own(code, body, type, place, context)
            if let seconds { answer = answer.setting("Retry-After", "\(seconds)") }
        case .delay(let milliseconds):
            answer = try work()
            answer.delay = .milliseconds(milliseconds)
        case .drop(.request):
            answer = Response(status: .ok)
            answer.drop = .answer
        case .drop(let drop):
            answer = try work()
            answer.drop = drop
        case .malformed(let form): answer = try work().spoilt(form)
        }
        let reason = "fault \(standing.id): \(standing.fault.kind.title)"
        answer.note = answer.note.map { "\($0) (\(reason))" } ?? reason
        answer.facts.reason = answer.facts.reason.map { "\($0) (\(reason))" } ?? reason
        return answer
    }

    // The service's own words for what it says when it is busy.
    private static func own(
        _ code: Int, _ body: String?, _ type: String, _ place: PolicyEndpoint?, _ context: RequestContext
    ) throws -> Response {
        let status = HTTPResponse.Status(code: code)
        if let body { return Response(status: status, body: Array(body.utf8), type: type) }
        guard code == 429 || code >= 500 else { return Response(status: status) }
        let refusal = code == 429 ? Refusal.tooManyRequests : Refusal.busy
        guard let place else {
            return try .json(["error": "temporarily_unavailable"], status: status)
        }
        var answer = try place.json(refusal, now: context.now)
        answer.status = status
        return answer
    }
}

extension Response {
    fileprivate func spoilt(_ form: Fault.Malformation) -> Response {
        var copy = self
        switch form {
        case .html:
            let page = "<!DOCTYPE html>\n<html lang=\"en\"><title>Sorry</title><p>Something went wrong.</p></html>\n"
            copy = Response(status: .ok, body: Array(page.utf8), type: "text/html; charset=utf-8", note: note)
            copy.facts = facts
        case .cut: copy.body = Array(body.prefix(body.count / 2))
        case .type: if !body.isEmpty { copy.headers[.contentType] = "text/plain" }
        // Neither byte is part of any UTF-8 text (RFC 3629 section 1).
        case .encoding: if !body.isEmpty { copy.body.insert(contentsOf: [0xff, 0xfe], at: body.count / 2) }
        }
        return copy
    }
}
