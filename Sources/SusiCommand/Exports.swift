// Environment and paths are used everywhere in the program, and do not need an import in each file.
@_exported public import SusiEntry
