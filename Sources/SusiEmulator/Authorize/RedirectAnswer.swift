/// The answers that go back to the application through the browser.
extension ReturnAddress {
    /// A code (RFC 6749 section 4.1.2).
    func answer(code: String, clientInfo: String?) -> Answer {
        send([("code", code), ("state", state), ("client_info", clientInfo)], note: nil)
    }

    /// An error (RFC 6749 section 4.1.2.1).
    func answer(_ refusal: Refusal, now: Int64) -> Answer {
        send(
            [
                ("error", refusal.code.oauth), ("error_description", refusal.description(now: now)), ("state", state),
            ], note: refusal.note)
    }

    private func send(_ fields: [(String, String?)], note: String?) -> Answer {
        let present = fields.compactMap { name, value in value.map { (name, $0) } }
        let text = present.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
        switch responseMode {
        case .query:
            let joint = redirectURI.contains("?") ? "&" : "?"
            return .redirect(to: redirectURI + joint + text, note: note)
        case .fragment:
            return .redirect(to: "\(redirectURI)#\(text)", note: note)
        case .formPost:
            // The form is sent by the person: the pages have no script that could do it.
            var answer = FormPostPage.answer(to: redirectURI, fields: present)
            answer.note = note
            return answer
        }
    }

    /// The origin of the redirect address, for the content security policy.
    var origin: String { Self.origin(of: redirectURI) }

    static func origin(of address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return "" }
        let end = address[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? address.endIndex
        // Characters that would end the directive cannot come from a registered address; they are dropped all the same.
        return String(address[..<end].filter { !" ;,'".contains($0) })
    }
}
