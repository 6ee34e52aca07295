/// The way an authorization endpoint returns its response (OAuth 2.0 Multiple Response Type Encoding Practices 2.1).
public enum ResponseMode: String, CaseIterable, Sendable {
    /// In the query of the redirect address.
    case query
    /// In the body of a form that the browser posts (OAuth 2.0 Form Post Response Mode 2).
    case formPost = "form_post"
}
