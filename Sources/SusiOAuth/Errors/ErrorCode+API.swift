extension ErrorCode {
    private static let authority: Remedy = "check the authority in the API's settings"
    private static let rightToken: Remedy = "send an access token of the authority"

    /// The codes of Microsoft.Identity.Web and of the libraries below it, which are in the log of an API. `inspect --for-api` names
    /// the rules by them.
    static let api: [ErrorCode] = [
        row("IDW10106", "the API's settings have no client ID", "add ClientId to the API's settings"),
        row("IDW10201", "the token has neither scopes nor roles", "request a scope of the API"),
        row("IDW10203", "the token has none of the scopes that the API requires", "request a scope of the API"),
        row("IDX10205", "the token was issued by another authority", authority),
        row(
            "IDX10214", "the token was issued for another API",
            "compare the audience of the token with the API's settings"),
        row("IDX10222", "the token is not valid yet", "compare the clocks"),
        row("IDX10223", "the token has expired", "get a new token in the client"),
        row("IDX10225", "the token has no expiry time", rightToken),
        row("IDX10501", "the authority has no key of that name", authority),
        row("IDX10503", "the authority has no key that fits the signature", authority),
        row("IDX10504", "the token is not signed", rightToken),
        row("IDX10511", "the signature of the token is invalid", rightToken),
        row("IDX14100", "the text is not a JWT", "send the access token alone, after “Bearer ”"),
        row("IDX20803", "the API cannot read the authority's metadata", authority),
        row("IDX40001", "the token was issued by another authority", authority),
        row(
            "IDX40002", "the issuer of the token contains the policy",
            "change the policy's issuer to the form without /tfp/"),
        row("IDX40003", "the token names no tenant", rightToken),
    ]

    private static func row(_ name: String, _ meaning: String, _ remedy: Remedy) -> ErrorCode {
        ErrorCode(name, meaning, remedy, .failed)
    }
}
