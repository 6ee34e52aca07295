import Crypto
import FoundationEssentials

/// SHA-256 of a text. The database stores secrets as their hash only.
func sha256(_ text: String) -> [UInt8] { sha256(Data(text.utf8)) }

/// SHA-256 of some bytes.
func sha256(_ data: Data) -> [UInt8] { Array(SHA256.hash(data: data)) }
