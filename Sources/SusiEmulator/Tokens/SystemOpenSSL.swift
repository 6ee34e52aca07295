#if os(Linux)
    import Glibc
    import Synchronization

    /// The system's OpenSSL, opened where it is there: what signs RS256 fastest.
    ///
    /// Two signatures are most of what a token answer costs, and the library that this program is built with has no code for
    /// the instructions (AVX-512 IFMA) with which OpenSSL signs twice as fast. Nobody chooses what is opened, and nothing
    /// depends on it: without it the other library signs.
    @safe
    struct SystemOpenSSL: Sendable {
        /// The one of this system; nil where there is none.
        static let shared = SystemOpenSSL()

        fileprivate let readKey: ReadKey
        fileprivate let freeKey: Free
        fileprivate let makeContext: MakeContext
        fileprivate let freeContext: Free
        fileprivate let begin: Begin
        fileprivate let setDigest: SetDigest
        fileprivate let sign: Sign
        fileprivate let sha256: SHA256

        fileprivate typealias ReadKey =
            @convention(c) @Sendable (
                UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int
            ) -> OpaquePointer?
        fileprivate typealias Free = @convention(c) @Sendable (OpaquePointer?) -> Void
        fileprivate typealias MakeContext = @convention(c) @Sendable (OpaquePointer, OpaquePointer?) -> OpaquePointer?
        fileprivate typealias Begin = @convention(c) @Sendable (OpaquePointer) -> Int32
        fileprivate typealias SetDigest = @convention(c) @Sendable (OpaquePointer, OpaquePointer) -> Int32
        fileprivate typealias Sign =
            @convention(c) @Sendable (
                OpaquePointer, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>, UnsafePointer<UInt8>, Int
            ) -> Int32
        fileprivate typealias SHA256 = @convention(c) @Sendable () -> OpaquePointer?
        private typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> Int32

        /// Opens a library; nil when there is none at `path`, or one without a function that is needed. The name says which
        /// functions there are and what they take: OpenSSL 3.
        init?(path: String = "libcrypto.so.3") {
            guard let library = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else { return nil }
            guard let initialize = unsafe dlsym(library, "OPENSSL_init_crypto"),
                let readKey = unsafe dlsym(library, "d2i_AutoPrivateKey"),
                let freeKey = unsafe dlsym(library, "EVP_PKEY_free"),
                let makeContext = unsafe dlsym(library, "EVP_PKEY_CTX_new"),
                let freeContext = unsafe dlsym(library, "EVP_PKEY_CTX_free"),
                let begin = unsafe dlsym(library, "EVP_PKEY_sign_init"),
                let setDigest = unsafe dlsym(library, "EVP_PKEY_CTX_set_signature_md"),
                let sign = unsafe dlsym(library, "EVP_PKEY_sign"), let sha256 = unsafe dlsym(library, "EVP_sha256")
            else {
                unsafe dlclose(library)
                return nil
            }
            // Neither its configuration file, which may load more, nor a clean-up at the program's end, when threads sign.
            let options: UInt64 = 0x80 | 0x80000
            guard unsafe unsafeBitCast(initialize, to: Initialize.self)(options, nil) == 1 else { return nil }
            unsafe self.readKey = unsafeBitCast(readKey, to: ReadKey.self)
            unsafe self.freeKey = unsafeBitCast(freeKey, to: Free.self)
            unsafe self.makeContext = unsafeBitCast(makeContext, to: MakeContext.self)
            unsafe self.freeContext = unsafeBitCast(freeContext, to: Free.self)
            unsafe self.begin = unsafeBitCast(begin, to: Begin.self)
            unsafe self.setDigest = unsafeBitCast(setDigest, to: SetDigest.self)
            unsafe self.sign = unsafeBitCast(sign, to: Sign.self)
            unsafe self.sha256 = unsafeBitCast(sha256, to: SHA256.self)
        }
    }

    /// An RSA key that OpenSSL holds. Several threads may sign with it at once (openssl-threads(7)).
    @safe
    final class OpenSSLKey: @unchecked Sendable {
        private let library: SystemOpenSSL
        private let key: OpaquePointer
        // Of a signature, in bytes.
        private let size: Int
        // What makes signatures, while nobody signs with it: a new one costs time.
        private let idle = Mutex<[Signer]>([])

        /// Reads a private key (RFC 8017 appendix A.1.2) whose modulus has `size` bytes; nil when OpenSSL does not take it.
        init?(der: [UInt8], size: Int, _ library: SystemOpenSSL) {
            let key = unsafe der.withUnsafeBufferPointer { bytes in
                var start = bytes.baseAddress
                return unsafe library.readKey(nil, &start, bytes.count)
            }
            guard let key = unsafe key else { return nil }
            self.library = library
            unsafe self.key = key
            self.size = size
        }

        deinit { unsafe library.freeKey(key) }

        /// An RS256 signature (RFC 7518 section 3.3) of what has this SHA-256; nil when OpenSSL gives none.
        func signature(of hash: [UInt8]) -> [UInt8]? {
            guard let signer = unsafe idle.withLock({ $0.popLast() }) ?? Signer(key, library),
                let signature = signer.signature(of: hash, size: size)
            else { return nil }
            idle.withLock { $0.append(signer) }
            return signature
        }
    }

    // One thread at a time signs with it.
    @safe
    private final class Signer: @unchecked Sendable {
        private let library: SystemOpenSSL
        private let context: OpaquePointer

        init?(_ key: OpaquePointer, _ library: SystemOpenSSL) {
            guard let context = unsafe library.makeContext(key, nil) else { return nil }
            self.library = library
            unsafe self.context = context
            guard unsafe library.begin(context) == 1, let sha256 = unsafe library.sha256(),
                unsafe library.setDigest(context, sha256) == 1
            else { return nil }
        }

        deinit { unsafe library.freeContext(context) }

        func signature(of hash: [UInt8], size: Int) -> [UInt8]? {
            var signature = [UInt8](repeating: 0, count: size)
            var count = size
            let isDone = unsafe library.sign(context, &signature, &count, hash, hash.count) == 1
            return isDone && count == size ? signature : nil
        }
    }
#endif
