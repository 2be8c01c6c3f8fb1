import ListAPI
import Listings
import SQLite
import System

package enum Program {
    package static func run(arguments: [String], environment: [String: String]) -> Int32 {
        StandardDescriptors.open()
        defer { StandardError.flush(within: Diagnostics.lastWait) }
        do {
            if let text = try output(to: arguments) {
                StandardOutput.write(text)
                return ExitCode.done.rawValue
            }
            if let command = try Self.command(arguments, environment) {
                switch command {
                case .importing(let command): try ImportProgram.run(command)
                case .exporting(let command): try ExportProgram.run(command)
                case .token(let command): try TokenProgram.run(command)
                }
                return ExitCode.done.rawValue
            }
            if arguments.first == "describe" {
                let words = Array(arguments.dropFirst())
                try DescribeProgram.run(
                    try Configuration(arguments: words, environment: environment)
                )
                return ExitCode.done.rawValue
            }
            var configuration = try Configuration(
                arguments: arguments,
                environment: environment
            )
            switch configuration.command {
            case .help: StandardOutput.write(HelpText.text)
            case .version: StandardOutput.write("roster \(RosterVersion.current)\n")
            case .settings(let text): StandardOutput.write(text)
            case .health: try HealthCheck.run(configuration)
            case .explain: try explain(configuration.withDescriptions())
            case .serve:
                configuration = try configuration.withDescriptions()
                try serve(configuration) { () throws(Failure) in
                    try Configuration(arguments: arguments, environment: environment)
                }
            }
            return ExitCode.done.rawValue
        } catch {
            for line in error.text.split(separator: "\n") {
                Diagnostics.write(String(line), .error)
            }
            return error.code.rawValue
        }
    }

    private static func output(to arguments: [String]) throws(Failure) -> String? {
        let second = arguments.dropFirst().first
        switch arguments.first {
        case let name?
        where arguments.dropFirst().contains("--help") || arguments.dropFirst().contains("-h"):
            return HelpText.text(of: name)
        case "help":
            guard let second else { return HelpText.text }
            guard let text = HelpText.text(of: second) else {
                let names = CommandDescription.all.map(\.name).joined(separator: ", ")
                throw Failure(.usage, "no command '\(second)'; there are \(names)")
            }
            return text
        case "manual": return ManualPage.text
        case "completions":
            guard let shell = second.flatMap(ShellCompletions.init(rawValue:)) else {
                throw Failure(.usage, "roster completions is followed by bash, zsh or fish")
            }
            return shell.text
        default: return nil
        }
    }

    private static func command(
        _ arguments: [String],
        _ environment: [String: String]
    ) throws(Failure) -> ListCommand? {
        // A request for help wins over all other arguments.
        guard !arguments.contains("--help"), !arguments.contains("-h") else { return nil }
        return try ListCommand(arguments: arguments, environment: environment)
    }

    private static func explain(_ configuration: Configuration) throws(Failure) {
        let contents = try ListRegistry(configuration).contents
        for notice in contents.notices { Diagnostics.write(notice) }
        var names: Set<String> = []
        for list in contents.lists {
            StandardOutput.write(try ListExplanation(list, names: &names).text)
        }
    }

    private static func serve(
        _ configuration: Configuration,
        reading: @escaping Reloading.ReadConfiguration
    ) throws(Failure) {
        let serving = ServeCommand(
            configuration,
            title: ServiceOptions().title,
            readConfiguration: reading
        )
        var isOpen = false
        var folder: TemporaryFolder?
        defer {
            if isOpen, let path = configuration.database { completeFile(at: path) }
            folder?.remove()
        }
        try serving.run { () throws(Failure) in
            let contents = try ListRegistry(configuration).contents
            (isOpen, folder) = (true, contents.temporaryFolder)
            return contents
        }
    }

    /// Moves the last writes into the file of a database, so that an operator can copy it.
    private static func completeFile(at path: String) {
        // A missing file would be created.
        guard path != Configuration.memory, case .regular = FileKind(atPath: path) else { return }
        do throws(SQLiteError) {
            let connection = try DatabaseConnection(.file(path), access: .readWrite)
            guard try !connection.emptyLog() else { return }
            Diagnostics.write(
                "\(path): another process uses the database, so \(path)-wal has its last rows"
            )
        } catch {
            Diagnostics.write(
                "\(Failure(error, path: path, access: .readWrite).text); \(path)-wal can have "
                    + "its last rows",
                .error
            )
        }
    }
}
