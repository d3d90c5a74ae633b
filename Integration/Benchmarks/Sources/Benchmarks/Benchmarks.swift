import Foundation

// The entry point is synchronous on purpose: valgrind 3.19 cannot run an asynchronous one.
@main
struct Benchmarks {
    static func main() {
        do {
            var arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.first == Worker.command {
                try Worker(arguments: Array(arguments.dropFirst())).run()
            } else if arguments.first == FileImports.command {
                try FileImports(Array(arguments.dropFirst())).run()
            } else if arguments.first == PlanRun.command {
                try PlanRun(Array(arguments.dropFirst())).run()
            } else if arguments.first == PendingRun.command {
                try PendingRun(Array(arguments.dropFirst())).run()
            } else if arguments.contains("--help") || arguments.contains("-h") {
                print(Options.help)
            } else {
                let options = try Options(parsing: &arguments)
                if options.measuresGrowth {
                    try GrowthRun(options).run()
                } else if options.countsInstructions {
                    try InstructionRun(options).run()
                } else {
                    try TimedRun(options).run()
                }
            }
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }
}
