// fuzz list                 names the targets
// fuzz TARGET [ARGUMENT]…   runs one with libFuzzer's arguments
import FuzzDriver

if CommandLine.arguments.dropFirst().first == "list" {
    Target.all.forEach { print($0.name) }
} else {
    _ = Target.chosen
    // libFuzzer reads every word without a dash as a folder, so it does not get the target's name.
    let arguments = unsafe CommandLine.unsafeArgv
    unsafe arguments[1] = arguments[0]
    _ = unsafe fuzz_run(CommandLine.argc - 1, arguments + 1) { start, count in
        let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
        Target.chosen.run(input)
        return 0
    }
}
