// The library's API contains types of these targets: one import is enough for all.
@_exported public import SusiBase
@_exported public import SusiHTTP
@_exported public import SusiOAuth
@_exported public import SusiPolicies
@_exported public import SusiStore
