// The small program that an installation has as `susi`: its start costs a fraction of the full program's.
import SusiEntry

FastPath.printToken(CommandLine.arguments.dropFirst(), in: .process)
FullProgram.run()
