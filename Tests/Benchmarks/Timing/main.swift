import Foundation

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 2, arguments[0] == "home" {
        try SignedInHome.make(in: arguments[1])
        exit(0)
    }
    if arguments.count == 2, arguments[0] == "add" {
        try SignedInHome(arguments[1]).addOne()
        exit(0)
    }
    if arguments.first == "size" {
        exit(try SizeComparison(arguments.dropFirst(), benchmarks: CommandLine.arguments[0]).run() ? 0 : 1)
    }
    let options = try Options(arguments)
    let timing = Timing(
        a: options.a, b: options.b, pairs: options.pairs, warmUps: options.warmUps, core: options.core)
    let result = try timing.run()
    print(result.table(options))
    if let most = options.atMost, !(result.ratio <= most) { exit(1) }
} catch let error as Options.Wrong {
    print("\(error)\n\n\(Options.usage)")
    exit(64)
} catch {
    print("\(error)")
    exit(2)
}
