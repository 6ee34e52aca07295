/// The steps of a sign-in by native authentication, in which the client itself asks for password and codes. Each has an
/// endpoint of that name below the authority.
///
/// Names and values are those of Microsoft's “Native authentication API reference” for External ID, version 1. Where the
/// reference and Microsoft's libraries differ, those of the libraries are used.
package enum NativeStep: String, CaseIterable, Sendable {
    /// Names the user.
    case initiate
    /// Asks what the user has to enter, and has a code sent.
    case challenge
    /// Lists the methods of the user's second factor.
    case introspect
    /// Exchanges what the user entered for tokens.
    case token
}
