import AsyncHTTPClient
import NIOHTTP1
import SusiOAuth
import SusiPolicies

extension WebClient {
    /// Logs an exchange in one line. If the network traces headers, also logs headers and forms. No line shows a secret that
    /// was sent: a server may repeat it anywhere, also in the address of a redirect.
    func log(
        _ request: HTTPClientRequest, form: String? = nil, to address: WebAddress, outcome: String,
        response: HTTPHeaders? = nil, hiding secrets: SentSecrets
    ) {
        guard let trace else { return }
        let tell = { (line: String) in trace(secrets.hidden(in: line)) }
        tell("\(request.method.rawValue) \(address) \(outcome)")
        guard network.tellsHeaders else { return }
        if let proxy = try? connections.proxy(to: address) { tell("  through \(proxy)") }
        if let query = request.url.firstIndex(of: "?").map({ request.url[$0...].dropFirst() }) {
            tell("  > ?\(Redaction.form(query))")
        }
        for header in request.headers { tell("  > \(header.name): \(Redaction.header(header.name, header.value))") }
        if let form { tell("  > \(Redaction.form(form))") }
        for header in response ?? [:] {
            // Hidden before its form is looked at, which may take apart what was sent.
            let value = secrets.hidden(in: header.value)
            tell("  < \(header.name): \(Redaction.header(header.name, value))")
        }
    }

    func failure(_ error: any Error, _ address: WebAddress) -> NetworkFailure {
        NetworkFailure(
            error, origin: address.origin, proxy: (try? connections.proxy(to: address)) ?? nil,
            largestResponse: network.limits.response)
    }
}

extension NetworkFailure {
    /// Returns the failure of an address that a server chose, without the secrets that it repeats there.
    func hiding(_ secrets: SentSecrets) -> NetworkFailure {
        NetworkFailure(kind: kind, origin: secrets.hidden(in: origin), detail: detail, proxy: proxy)
    }
}

extension SentSecrets {
    func adding(_ request: HTTPClientRequest) -> SentSecrets {
        var secrets = self
        let bearer = request.headers.first(name: "Authorization")?.split(separator: " ").last
        secrets.insert(bearer.map(String.init) ?? "")
        return secrets
    }
}
