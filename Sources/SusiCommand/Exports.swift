// Every file uses the environment and the paths; this makes an import in each file unnecessary.
@_exported public import SusiEntry
