import ListAPI

/// The arguments of the program when it has no command.
struct ServingArguments {
    /// The requested action.
    enum Wish {
        /// Serve lists.
        case serve
        /// Check whether a running server responds.
        case health
        /// Explain the access paths of the lists.
        case explain
        /// Print the settings.
        case settings
    }

    /// The requested action.
    private(set) var wish = Wish.serve
    /// The sources of the lists.
    private(set) var sources: [SourceArgument] = []
    /// The settings in the order of the arguments.
    private(set) var settings: [ParsedOption] = []

    /// Reads the arguments.
    ///
    /// - Throws: ``ConfigurationError`` for the first invalid argument.
    init(_ arguments: [String]) throws(ConfigurationError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--health": wish = .health
            case "--explain": wish = .explain
            case "--print-config": wish = .settings
            case "--":
                for source in rest { try add(source) }
                rest = []
            case _ where argument.hasPrefix("-") && argument != "-":
                let parts = argument.split(
                    separator: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                let flag = String(parts[0])
                guard let option = Option.all.first(where: { $0.flag == flag }) else {
                    throw .unknownFlag(flag, suggestion: Self.suggestion(for: flag))
                }
                let inline = parts.count == 2 ? String(parts[1]) : nil
                let next = { option.isSwitch ? "on" : rest.popFirst() }
                guard let value = inline ?? next() else { throw .missingValue(flag) }
                // Groupings and keys may be given for each list separately.
                let isRepeated = settings.contains { $0.option.key == option.key }
                let isList = option.key == .groupBy || option.key == .key
                guard !isRepeated || isList else { throw .repeatedFlag(flag) }
                settings.append(ParsedOption(option: option, value: value, origin: flag))
            default: try add(argument)
            }
        }
    }

    private static func suggestion(for flag: String) -> String? {
        let others = ["--help", "--version", "--health", "--explain", "--print-config"]
        return Suggestion.nearest(to: flag, among: Option.all.compactMap(\.flag) + others)
    }

    private mutating func add(_ text: String) throws(ConfigurationError) {
        let source = try SourceArgument(text)
        if sources.contains(where: { $0.name != nil && $0.name == source.name }) {
            throw .repeatedList(source.name ?? text)
        }
        sources.append(source)
    }
}
