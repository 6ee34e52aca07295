import Susi
import SusiPolicies
import Testing

/// The encoding of paths in `call`.
@Suite("Paths of calls")
struct CallPathTests {
    @Test(
        arguments: [
            ("/a b", "/a%20b"), ("/größe/日本", "/gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC"), ("/x?q=a b\\c", "/x?q=a%20b%5Cc"),
            ("/%20 %C3%A9", "/%20%20%C3%A9"), ("/\"<q>\"", "/%22%3Cq%3E%22"), ("?n=100%", "?n=100%25"),
        ])
    func encodesPath(_ typed: String, _ sent: String) throws {
        let application = try #require(try PoliciesFile.builtIn().application(nil))
        let base = "http://localhost:8480/api/hello"
        for request in [CallRequest(api: "hello", path: typed), CallRequest(api: base + typed)] {
            #expect(try request.resolved(in: application).call.url == base + sent)
        }
    }
}
