public import SusiStore

extension SusiError {
    /// What an error of the store means for a person.
    public init(_ error: StoreError) { self.init(.store, error.what, why: error.why, next: error.next) }
}
