// A valid token from the cache is printed before the argument parser and the first task exist.
FastPath.printToken(CommandLine.arguments.dropFirst(), in: .process)
Program.start(Array(CommandLine.arguments.dropFirst()))
