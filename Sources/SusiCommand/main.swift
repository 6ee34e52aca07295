// A valid token from the cache is printed before anything else of the program exists: no argument parser, no task.
let surroundings = Surroundings.process
FastPath.token(CommandLine.arguments.dropFirst(), in: surroundings) { token in
    Program.ignoreBrokenPipes()
    Console.result(token)
    Program.exit(.done)
}
Program.start(Array(CommandLine.arguments.dropFirst()))
