import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Synchronization

/// A browser that only keeps the address that it would open, and then fails: the flow ends before anything is typed.
final class AddressProbe: Susi.Browser {
    let isOnlyWay = true
    private let address = Mutex<String?>(nil)

    func open(_ url: String) async throws(SusiError) {
        // The short address in the browser's arguments redirects once.
        let page = try? await PlainVisit.get(url).location
        address.withLock { $0 = page }
        throw SusiError(.failed, "not opened")
    }

    var parameters: [String: String] {
        let items = URLComponents(string: address.withLock { $0 ?? "" })?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in "\(first) TWICE" }
    }

    /// Returns the parameters of the address that a flow opens.
    static func parameters(of flow: (SignInSurface) async throws -> Void) async -> [String: String] {
        let probe = AddressProbe()
        try? await flow(SignInSurface(browser: probe))
        return probe.parameters
    }
}

extension PublicClient {
    /// Returns the parameters of the address that a sign-in opens.
    func asked(_ request: SignInRequest = SignInRequest()) async -> [String: String] {
        await AddressProbe.parameters { _ = try await self.signIn(request, through: $0) }
    }

    /// Returns the parameters for a sign-in that expects whom the text names.
    func asked(as text: String, _ options: AuthorizationOptions = AuthorizationOptions()) async throws -> [String:
        String]
    {
        let expected = try await expectedPerson(AccountSelection(text: text)).person
        return await asked(SignInRequest(options: options, choosesAccount: options.prompt == nil, expected: expected))
    }
}
