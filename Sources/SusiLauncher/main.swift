// The small program that an installation has as `susi`: its start costs a fraction of the full program's.
import SusiStartup

FastPath.printToken(CommandLine.arguments.dropFirst(), in: .process)
FullProgram.run()
