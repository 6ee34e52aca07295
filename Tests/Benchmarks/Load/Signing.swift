import Crypto
import CryptoExtras
import Foundation

/// The speed of swift-crypto's signatures, with which the emulator signs.
enum Signing {
    static func perSecond(during seconds: Double) throws -> Double {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let text = Data(repeating: 0x61, count: 900)
        let (start, busy) = (ContinuousClock.now, ProcessTime.own())
        var count = 0
        while ContinuousClock.now - start < .seconds(seconds) {
            for _ in 0..<10 { _ = try key.signature(for: text, padding: .insecurePKCS1v1_5) }
            count += 10
        }
        return Double(count) / (ProcessTime.own() - busy)
    }
}

/// The processor time of a process. On a shared machine it is more exact than a clock.
enum ProcessTime {
    /// Returns the time of this process in seconds.
    static func own() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    /// Returns the time of another process on this machine in seconds, or 0 (proc(5): fields 14 and 15 of `stat`, in
    /// hundredths).
    static func seconds(of process: Int?) -> Double {
        guard let process, let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
            return 0
        }
        // The name, in brackets, may contain spaces.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 12 ? ((Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)) / 100 : 0
    }
}
