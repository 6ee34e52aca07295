import SusiHTTP
import SusiPolicies

extension PublicClient {
    /// Listens as a sign-in does, on any free port, and calls there: whether a browser of this machine could come back.
    public func tryLoopback() async throws(SusiError) {
        try await explained {
            try await RedirectListener.with(ports: [0], paths: ["/"]) { listener in
                let address = try Endpoint("http://localhost:\(listener.port)/probe")
                let status = try await self.web { web in try await web.get(address).status }
                // Nothing is there but the redirect path, and that is what a listener of ours says.
                guard status == 404 else {
                    throw SusiError.otherListener(status: status)
                }
            }
        }
    }

    /// The redirect ports that another program has at this moment; 0 is never one.
    public func busyPorts() async throws(SusiError) -> [UInt16] {
        try await explained {
            var busy: [UInt16] = []
            for port in application.redirectPorts where port != 0 {
                do { try await RedirectListener.with(ports: [port], paths: ["/"]) { _ in } } catch is RedirectListener
                    .NoFreePort
                {
                    busy.append(port)
                }
            }
            return busy
        }
    }
}
