package import Susi

extension PublicClient {
    /// Listens as a sign-in does, on any free port, and connects to it as a browser of this machine would.
    package func tryLoopback() async throws(SusiError) {
        let (context, host) = (context, application.redirectHost)
        try await mappingErrors {
            try await RedirectListener.with(ports: [0], host: host, paths: ["/"]) { listener in
                let address = try Endpoint(listener.redirectURI(path: "/probe"))
                let status = try await context.web { web in try await web.get(address).status }
                // The listener serves only the redirect path and responds with 404 to any other.
                guard status == 404 else { throw SusiError.otherListener(status: status) }
            }
        }
    }

    /// Returns the redirect ports that another program uses now; 0 is never one of them.
    package func busyPorts() async throws(SusiError) -> [UInt16] {
        try await mappingErrors {
            var busy: [UInt16] = []
            for port in application.redirectPorts where port != 0 {
                do {
                    try await RedirectListener.with(ports: [port], host: application.redirectHost, paths: ["/"]) { _ in
                    }
                } catch is RedirectListener
                    .NoFreePort
                {
                    busy.append(port)
                }
            }
            return busy
        }
    }
}
