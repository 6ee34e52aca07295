import Dispatch

// A valid token from the cache is printed before anything else of the program exists: no argument parser, no task.
let surroundings = Surroundings.process
if let token = FastPath.token(CommandLine.arguments.dropFirst(), in: surroundings) {
    Console.standard.out(token)
    Program.exit(.done)
}
Program.start(Array(CommandLine.arguments.dropFirst()))
dispatchMain()
