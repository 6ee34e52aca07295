import SusiBase
public import SusiHTTP

/// A browser without a window that fills in the emulator's pages: for demonstrations and tests.
public struct FormBrowser: Browser {
    /// The values to enter, by field name.
    package let answers: [String: String]
    /// Buttons to press where a page has them, in order.
    package let presses: [String]
    /// The cookies that are kept between addresses; without a jar, each address is opened in a new browser.
    package var cookies: CookieJar?
    private let network: NetworkSettings
    /// There is no person who could open the address.
    public let isOnlyWay = true

    /// Makes a browser with values for the fields.
    public init(answers: [String: String], presses: [String] = [], network: NetworkSettings = NetworkSettings()) {
        self.answers = answers
        self.presses = presses
        self.network = network
    }

    /// Goes through the pages to the end.
    public func open(_ url: String) async throws(SusiError) {
        do {
            try await WebClient.with(network) { web in
                _ = try await FormVisitor(
                    answers: answers, presses: presses, client: web, cookies: cookies ?? CookieJar()
                ).visit(url)
            }
        } catch let error as InvalidInput {
            throw SusiError.pagesNotFilled(error.reason)
        } catch {
            let failure = error as? NetworkFailure
            throw SusiError.pagesNotFilled(
                failure.map { "\($0.origin): \($0.detail)" } ?? FileFailure.reason(error))
        }
    }
}
