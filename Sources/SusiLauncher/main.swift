// The small program that an installation has as `susi`: its start costs a fraction of the full program's.
import SusiStartup

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "token" { FastPath.printToken(arguments, in: .process) }
FullProgram.run()
