import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import SusiOAuth
import SusiPolicies

extension WebClient {
    private static let mostRedirects = 5

    /// Sends a call and passes the head and then each piece of the body to `receive`; a `nil` piece means the head
    /// alone. Returns the head after the last piece.
    ///
    /// Redirects of GET and HEAD are followed; the token is sent only at or below the API's base. Silence of the server
    /// for longer than ``NetworkSettings/longestSilence`` is a ``NetworkFailure``. `refused` is the token of an earlier attempt,
    /// which the head does not show either.
    @discardableResult
    package func call(
        _ call: APICall, token: String, refused: String? = nil,
        receive: @escaping @Sendable (APICall.Head, [UInt8]?) async throws -> APICall.Demand
    ) async throws -> APICall.Head {
        try await self.call(
            call, token: token, refused: refused, pause: { try await Task.sleep(for: $0) }, receive: receive)
    }

    /// Sends a call; `pause` waits for a part of the silence limit.
    func call(
        _ call: APICall, token: String, refused: String? = nil,
        pause: @escaping @Sendable (Duration) async throws -> Void,
        receive: @escaping @Sendable (APICall.Head, [UInt8]?) async throws -> APICall.Demand
    ) async throws -> APICall.Head {
        let receiver = Receiver(sent: SentSecrets(token, refused), take: receive)
        do {
            return try await SilenceWatch.with(limit: network.longestSilence, pause: pause) { watch in
                try await follow(call, token: token, watch: watch, receiver: receiver)
            }
        } catch let silence as DeadlineExceeded {
            throw failure(silence, call.base)
        }
    }

    private struct Receiver: Sendable {
        /// The tokens that nothing shown of the response contains.
        let sent: SentSecrets
        let take: @Sendable (APICall.Head, [UInt8]?) async throws -> APICall.Demand
    }

    private func follow(
        _ call: APICall, token: String, watch: SilenceWatch, receiver: Receiver
    ) async throws -> APICall.Head {
        var (url, address) = (call.url, call.address)
        var isTrusted = true
        do {
            for _ in 0...Self.mostRedirects {
                let response = try await send(
                    call, to: url, at: address, token: isTrusted ? token : nil, watch: watch, hiding: receiver.sent)
                guard let next = Self.redirect(of: response, from: address, call) else {
                    return try await pass(response, isFromAPI: isTrusted, from: address, watch: watch, to: receiver)
                }
                isTrusted = isTrusted && next.isBelowBase
                (url, address) = (next.url, next.address)
            }
        } catch let failure as NetworkFailure where address.origin != call.base.origin {
            throw failure.hiding(receiver.sent)
        }
        throw NetworkFailure(
            kind: .broken, origin: call.base.origin, detail: "more than \(Self.mostRedirects) redirects")
    }

    private func pass(
        _ response: HTTPClientResponse, isFromAPI: Bool, from address: WebAddress, watch: SilenceWatch,
        to receiver: Receiver
    ) async throws -> APICall.Head {
        let head = APICall.Head(
            status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
            reason: response.status.reasonPhrase, isFromAPI: isFromAPI, hiding: receiver.sent)
        var demand = try await receiver.take(head, nil)
        var pieces = response.body.makeAsyncIterator()
        while demand == .more, let piece = try await next(&pieces, from: address, watch: watch) {
            demand = try await receiver.take(head, Array(piece.readableBytesView))
        }
        // A cancelled body ends without an error.
        try Task.checkCancellation()
        return head
    }

    private func next(
        _ pieces: inout HTTPClientResponse.Body.AsyncIterator, from address: WebAddress, watch: SilenceWatch
    ) async throws(NetworkFailure) -> ByteBuffer? {
        watch.wait()
        defer { watch.rest() }
        do { return try await pieces.next(isolation: #isolation) } catch {
            throw failure(error, address)
        }
    }

    // Without the token, no header and no body of the caller is sent either.
    private func send(
        _ call: APICall, to url: String, at address: WebAddress, token: String?, watch: SilenceWatch,
        hiding sent: SentSecrets
    ) async throws(NetworkFailure) -> HTTPClientResponse {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: call.method)
        if let token {
            for header in call.headers { request.headers.add(name: header.name, value: header.value) }
            request.headers.replaceOrAdd(name: "Authorization", value: "Bearer \(token)")
            request.body = call.body.map { .stream(Upload(body: $0, watch: watch), length: .known($0.length)) }
        } else {
            request.headers.add(name: "Accept", value: "application/json")
        }
        watch.wait()
        defer { watch.rest() }
        do {
            let response = try await connections.client(to: address).execute(request, deadline: .distantFuture)
            log(
                request, to: address, outcome: "\(response.status.code)", response: response.headers, hiding: sent)
            return response
        } catch {
            let failure = await explained(failure(error, address), address)
            log(request, to: address, outcome: "\(failure.kind)", hiding: sent)
            throw failure
        }
    }

    // Follows redirects of safe methods only: a server must not redirect a body to another server.
    private static func redirect(
        of response: HTTPClientResponse, from address: WebAddress, _ call: APICall
    ) -> CallRedirect? {
        guard [301, 302, 303, 307, 308].contains(response.status.code), ["GET", "HEAD"].contains(call.method),
            let location = response.headers.first(name: "Location")
        else { return nil }
        return CallRedirect(location, from: address, base: call.base)
    }
}
