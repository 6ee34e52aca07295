package import SusiPolicies

/// A message of an authority as it was received, with its secrets. Only a recording reads it.
package struct ServerMessage: Sendable {
    package enum Way: Sendable {
        /// The response to a request with that form.
        case response(status: Int, form: String?)
        /// At the redirect address, as a query or a form.
        case redirect(ResponseMode)
    }

    package let way: Way
    package let endpoint: Endpoint
    package let body: [UInt8]

    /// Gets each message of the current task; `nil` outside a recording.
    @TaskLocal package static var receive: (@Sendable (ServerMessage) -> Void)?

    /// Passes a message to the recording, if there is one.
    package static func received(_ body: some Sequence<UInt8>, _ way: Way, from endpoint: Endpoint) {
        receive?(ServerMessage(way: way, endpoint: endpoint, body: Array(body)))
    }
}
