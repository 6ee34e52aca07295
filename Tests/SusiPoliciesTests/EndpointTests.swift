import Testing

@testable import SusiBase
@testable import SusiPolicies

@Suite("Endpoints")
struct EndpointTests {
    @Test(
        arguments: [
            ("https://HOST:443/token", "https://host/token", "https://host/token?a=b"),
            ("https://host/o/token/", "https://host/o/token/", "https://host/o/token/?a=b"),
            ("https://host//api//token", "https://host/api/token", "https://host/api/token?a=b"),
            ("https://host/token?p=b2c_1", "https://host/token?p=b2c_1", "https://host/token?p=b2c_1&a=b"),
            ("https://host/token/?p=x/", "https://host/token/?p=x/", "https://host/token/?p=x/&a=b"),
            ("https://host/token?", "https://host/token?", "https://host/token?a=b"),
            ("https://host/", "https://host/", "https://host/?a=b"),
            ("https://host", "https://host", "https://host?a=b"),
        ])
    func keepsTextAfterHost(text: String, whole: String, withMore: String) throws {
        let endpoint = try Endpoint(text)
        #expect(endpoint.description == whole)
        #expect(endpoint.adding(query: "a=b") == withMore)
    }

    @Test(arguments: [
        ("/a-b._~!$&'()*+,;=:@/?", "/a-b._~!$&'()*+,;=:@/?"), ("a b%20c%zz%4", "a%20b%20c%25zz%254"),
        ("é?x=#", "%C3%A9?x=%23"), ("%", "%25"), ("%é1", "%25%C3%A91"),
    ])
    func completesEscapes(text: String, expected: String) { #expect(PercentEncoding.completed(text) == expected) }

    @Test(arguments: ["https://h/a#b", "https://h/a?b#c", "https://h/?a b"])
    func rejectsFragmentsAndSpaces(text: String) { #expect(throws: InvalidAddress.self) { try Endpoint(text) } }
}
