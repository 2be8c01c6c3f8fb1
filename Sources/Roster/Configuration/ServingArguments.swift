/// The words behind the program's name, when it is to serve.
struct ServingArguments {
    /// What is to be done instead of serving.
    enum Wish {
        /// Nothing: it is to serve.
        case serve
        /// Ask a running server whether it lives.
        case health
        /// Tell how the lists are read.
        case explain
        /// Print the settings.
        case settings
    }

    /// What is to be done.
    private(set) var wish = Wish.serve
    /// Where the lists come from.
    private(set) var sources: [SourceArgument] = []
    /// The settings, in their order.
    private(set) var settings: [GivenSetting] = []

    /// Reads the words.
    ///
    /// - Throws: ``ConfigurationError``, the first thing that is not understood.
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
                // What cuts lists into sections may be said list by list.
                let isRepeated = settings.contains { $0.option.key == option.key }
                guard !isRepeated || option.key == .groupBy else { throw .repeatedFlag(flag) }
                settings.append(GivenSetting(option: option, value: value, origin: flag))
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
