#if os(Linux)
    import Crypto
    import CryptoExtras
    import FoundationEssentials
    import Synchronization
    import Testing

    @testable import SusiEmulator

    /// Signatures that the system's OpenSSL makes, and those that are made without it.
    @Suite struct SystemOpenSSLTests {
        private static let isThere = SystemOpenSSL() != nil
        private let texts = [Data(), Data("a".utf8), Data(repeating: 0xff, count: 5_000)]

        @Test("Both libraries give the very same bytes", .enabled(if: isThere), arguments: [2_048, 2_048, 3_072])
        func same(bits: Int) throws {
            let key = try _RSA.Signing.PrivateKey(keySize: .init(bitCount: bits))
            let library = try #require(SystemOpenSSL())
            let quick = try #require(OpenSSLKey(der: Array(key.derRepresentation), size: bits / 8, library))
            let plain = RSAKey(key, openSSL: { nil })
            for text in texts {
                let signature = try #require(quick.signature(of: sha256(text)))
                #expect(try Data(signature) == plain.rs256(text))
                #expect(try RSAKey(key).rs256(text) == Data(signature))
                #expect(
                    key.publicKey.isValidSignature(
                        _RSA.Signing.RSASignature(rawRepresentation: signature), for: text,
                        padding: .insecurePKCS1v1_5))
            }
        }

        @Test("Where no library can be opened, or another one, the built-in one signs")
        func absent() throws {
            for path in ["libcrypto.so.nobody", "libc.so.6", ""] { #expect(SystemOpenSSL(path: path) == nil) }
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let alone = RSAKey(key, openSSL: { SystemOpenSSL(path: "libcrypto.so.nobody") })
            for text in texts {
                let signature = _RSA.Signing.RSASignature(rawRepresentation: try alone.rs256(text))
                #expect(key.publicKey.isValidSignature(signature, for: text, padding: .insecurePKCS1v1_5))
            }
        }

        @Test("The library is opened by the first signature, once, and PS256 needs none")
        func lazy() throws {
            let opened = Counter()
            let key = RSAKey(
                try _RSA.Signing.PrivateKey(keySize: .bits2048),
                openSSL: {
                    opened.add()
                    return nil
                })
            _ = try key.ps256(texts[1])
            #expect(opened.count == 0)
            for text in texts { _ = try key.rs256(text) }
            #expect(opened.count == 1)
        }

        @Test("A key that OpenSSL does not take, and a size that is not the key's, give nothing", .enabled(if: isThere))
        func refused() throws {
            let library = try #require(SystemOpenSSL())
            #expect(OpenSSLKey(der: [], size: 256, library) == nil)
            #expect(OpenSSLKey(der: [0x30, 0x03, 0x02, 0x01, 0x00], size: 256, library) == nil)
            let der = Array(try _RSA.Signing.PrivateKey(keySize: .bits2048).derRepresentation)
            let small = try #require(OpenSSLKey(der: der, size: 255, library))
            #expect(small.signature(of: sha256(texts[0])) == nil)
            let key = try #require(OpenSSLKey(der: der, size: 256, library))
            #expect(key.signature(of: [1, 2, 3]) == nil)
            #expect(key.signature(of: sha256(texts[0])) != nil)
        }

        @Test("Many sign at once with one key", .enabled(if: isThere)) func crowd() async throws {
            let key = RSAKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
            let text = texts[2]
            let expected = try key.rs256(text)
            let signatures = try await withThrowingTaskGroup(of: [Data].self) { group in
                for _ in 0..<8 { group.addTask { try (0..<20).map { _ in try key.rs256(text) } } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(signatures.count == 160)
            #expect(Set(signatures) == [expected])
        }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)

        var count: Int { value.withLock { $0 } }

        func add() { value.withLock { $0 += 1 } }
    }
#endif
