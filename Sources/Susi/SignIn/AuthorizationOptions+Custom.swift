public import SusiOAuth

extension AuthorizationOptions {
    /// Requests claims, given as a JSON object (OpenID Connect Core 5.5). Throws `invalidRequest`.
    public mutating func request(claims json: String) throws(SusiError) {
        do { claims = try ClaimsRequest(parsing: json.utf8) } catch {
            throw SusiError(.invalidRequest, "invalid claims request", why: error.reason)
        }
    }

    /// Adds a parameter for a custom policy. Throws `invalidRequest` for one that the request sets itself,
    /// and for a second one of the same name.
    public mutating func add(_ name: String, _ value: String) throws(SusiError) {
        guard let parameter = try? ExtraParameter(name, value), !extra.contains(where: { $0.name == name }) else {
            throw SusiError(
                .invalidRequest, "invalid parameter “\(name)”",
                why: "it is there already, or the request sets it itself, or its name is not visible ASCII")
        }
        extra.append(parameter)
    }
}
