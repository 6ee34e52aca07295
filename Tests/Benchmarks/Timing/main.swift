import Foundation

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 3, arguments[0] == "home", let accounts = Int(arguments[2]) {
        try SignedInHome.make(in: arguments[1], accounts: accounts)
        exit(0)
    }
    let options = try Options(arguments)
    let timing = Timing(a: options.a, b: options.b, pairs: options.pairs, warmUps: options.warmUps, core: options.core)
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
