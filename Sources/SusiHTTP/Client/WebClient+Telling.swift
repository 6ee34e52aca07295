import AsyncHTTPClient
import NIOHTTP1
import SusiOAuth
import SusiPolicies

extension WebClient {
    /// Logs an exchange in one line. If the network traces headers, also logs headers and forms, without secrets.
    func log(
        _ request: HTTPClientRequest, form: String? = nil, to address: WebAddress, outcome: String,
        response: HTTPHeaders? = nil
    ) {
        trace("\(request.method.rawValue) \(address) \(outcome)")
        guard network.tellsHeaders else { return }
        if let proxy = try? connections.proxy(to: address) { trace("  through \(proxy)") }
        if let query = request.url.firstIndex(of: "?").map({ request.url[$0...].dropFirst() }) {
            trace("  > ?\(Redaction.form(query))")
        }
        for header in request.headers { trace("  > \(header.name): \(Redaction.header(header.name, header.value))") }
        if let form { trace("  > \(Redaction.form(form))") }
        let secrets = Self.secrets(in: request, form)
        for header in response ?? [:] {
            let value = secrets.hidden(in: header.value)
            trace("  < \(header.name): \(Redaction.header(header.name, value))")
        }
    }

    private static func secrets(in request: HTTPClientRequest, _ form: String?) -> SentSecrets {
        let bearer = request.headers.first(name: "Authorization")?.split(separator: " ").last.map(String.init)
        var secrets = SentSecrets(bearer)
        secrets.add(form: form ?? "")
        return secrets
    }

    /// Converts an error of an exchange with an address.
    func failure(_ error: any Error, _ address: WebAddress) -> NetworkFailure {
        NetworkFailure(
            error, origin: address.origin, proxy: (try? connections.proxy(to: address)) ?? nil,
            largestAnswer: network.limits.answer)
    }
}
