/// A random path component: 40 bits, easy to type.
enum RandomPath {
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")

    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<8).compactMap { _ in letters.randomElement(using: &generator) })
    }
}
