/// Random bits of the system's generator.
package enum RandomBytes {
    package static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        // Each number is a system call, so words of eight bytes are generated, not single ones.
        let bytes = stride(from: 0, to: count, by: 8).flatMap { _ -> [UInt8] in
            let number = generator.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return Array(bytes.prefix(count))
    }

    /// Returns random bytes in base64url: 32 of them, 43 characters, unless told otherwise.
    package static func text(_ count: Int = 32) -> String { Base64URL.encode(make(count)) }
}
