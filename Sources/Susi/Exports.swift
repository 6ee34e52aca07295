// Whoever uses the library meets the values of these targets; one import is enough.
@_exported public import SusiHTTP
@_exported public import SusiOAuth
@_exported public import SusiPolicies
@_exported public import SusiStore
