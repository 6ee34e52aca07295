import SusiStartup

// Prints a valid cached token before the argument parser and the first task are created.
FastPath.printToken(CommandLine.arguments.dropFirst(), in: .process)
Program.start(Array(CommandLine.arguments.dropFirst()))
