package import Susi

extension PublicClient {
    /// Decodes a token and checks its signature with the keys of the application's authority that issues such tokens.
    ///
    /// A bad token throws nothing: the inspection contains what is wrong with it. With `isOffline` no server is contacted.
    package func inspect(_ token: String, isOffline: Bool = false) async -> TokenInspection {
        await TokenInspector(context: context).inspect(token, isOffline: isOffline)
    }
}
