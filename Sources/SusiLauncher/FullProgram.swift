import SusiBase
import SusiPolicies
import SusiStartup
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The full program, installed as `libexec/susi/susi` beside the `bin` folder of this one.
enum FullProgram {
    /// Replaces this process by the full program, with the same arguments, environment and open files.
    static func run() -> Never {
        guard let own = ownFile() else {
            fail("cannot find the program's own file", why: "/proc is not mounted", next: "mount /proc")
        }
        let path = own.removingLastComponent().removingLastComponent().appending("libexec/susi/susi").string
        // The original arguments, byte for byte: they need not be UTF-8.
        _ = unsafe execv(path, CommandLine.unsafeArgv)
        fail(
            "the installation is incomplete", why: "cannot start \(path): \(Errno(rawValue: errno))",
            next: "install susi again; bin/susi needs libexec/susi/susi beside bin")
    }

    /// Returns the path of this executable, without symbolic links.
    private static func ownFile() -> FilePath? {
        #if canImport(Darwin)
            var size = UInt32(PATH_MAX)
            var path = [CChar](repeating: 0, count: Int(size))
            guard unsafe _NSGetExecutablePath(&path, &size) == 0, let real = unsafe realpath(path, nil) else {
                return nil
            }
            defer { unsafe free(real) }
            return unsafe FilePath(platformString: real)
        #else
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            let length = unsafe readlink("/proc/self/exe", &path, path.count - 1)
            return length > 0 ? FilePath(platformString: path) : nil
        #endif
    }

    private static func fail(_ what: String, why: String, next: String) -> Never {
        for line in ["susi: \(what)", "  \(why)", "  next: \(next)"] {
            _ = StandardStream.error.write(line: DisplayText.safe(line))
        }
        exit(1)
    }
}
