import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension StoreFolder {
    /// Names a folder of the user of this process; reads and creates nothing.
    public init(_ path: String) { self.init(FilePath(path), owner: getuid()) }
}
