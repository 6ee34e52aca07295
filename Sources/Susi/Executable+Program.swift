package import Subprocess
import SystemPackage

extension Executable {
    /// Makes a program of its path, or of its name in PATH.
    package init(program: String) { self = program.contains("/") ? .path(FilePath(program)) : .name(program) }
}
