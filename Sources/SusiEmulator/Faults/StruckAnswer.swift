import HTTPTypes
import SusiPolicies

extension Faults {
    /// What `work` answers, or what a fault makes of it.
    func answer(
        _ endpoint: Fault.Endpoint, _ tenant: Tenant, _ place: Place?, _ visit: Visit, _ work: () throws -> Answer
    ) throws -> Answer {
        guard !isEmpty else { return try work() }
        let client = { visit.query["client_id"] ?? visit.form["client_id"] }
        let standing = strike(endpoint, tenant, policy: place?.policy.name.spelling, client: client)
        guard let standing else { return try work() }
        var answer: Answer
        switch standing.fault.kind {
        case .status(let code, let body, let type, let seconds):
            answer = try Self.own(code, body, type, place, visit)
            if let seconds { answer = answer.setting("Retry-After", "\(seconds)") }
        case .delay(let milliseconds):
            answer = try work()
            answer.delay = .milliseconds(milliseconds)
        case .drop(.request):
            answer = Answer(status: .ok)
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
        _ code: Int, _ body: String?, _ type: String, _ place: Place?, _ visit: Visit
    ) throws -> Answer {
        let status = HTTPResponse.Status(code: code)
        if let body { return Answer(status: status, body: Array(body.utf8), type: type) }
        guard code == 429 || code >= 500 else { return Answer(status: status) }
        let refusal = code == 429 ? Refusal.tooManyRequests : Refusal.busy
        guard let place else {
            return try .json(["error": "temporarily_unavailable"], status: status)
        }
        var answer = try place.json(refusal, now: visit.now)
        answer.status = status
        return answer
    }
}

extension Answer {
    fileprivate func spoilt(_ form: Fault.Malformation) -> Answer {
        var copy = self
        switch form {
        case .html:
            let page = "<!DOCTYPE html>\n<html lang=\"en\"><title>Sorry</title><p>Something went wrong.</p></html>\n"
            copy = Answer(status: .ok, body: Array(page.utf8), type: "text/html; charset=utf-8", note: note)
            copy.facts = facts
        case .cut: copy.body = Array(body.prefix(body.count / 2))
        case .type: if !body.isEmpty { copy.headers[.contentType] = "text/plain" }
        // Neither byte is part of any UTF-8 text (RFC 3629 section 1).
        case .encoding: if !body.isEmpty { copy.body.insert(contentsOf: [0xff, 0xfe], at: body.count / 2) }
        }
        return copy
    }
}
