import ListAPI

/// The arguments of the program when it has no command.
struct ServingArguments {
    enum Action { case serve, health, explain, settings }

    private(set) var action = Action.serve
    private(set) var sources: [SourceArgument] = []
    /// The settings in the order of the arguments.
    private(set) var settings: [GivenSetting] = []

    /// Reads the arguments.
    ///
    /// - Throws: ``ConfigurationError`` for the first invalid argument.
    init(_ arguments: [String]) throws(ConfigurationError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--health": action = .health
            case "--explain": action = .explain
            case "--print-config": action = .settings
            case "--":
                for source in rest { try add(source) }
                rest = []
            case _ where argument.hasPrefix("-") && argument != "-":
                let (flag, inline) = Self.parts(of: argument)
                guard let setting = Setting.all.first(where: { $0.flag == flag }) else {
                    let actions = HelpText.actions.map(\.name)
                    let flags = Setting.all.compactMap(\.flag)
                    throw .unknown(flag, value: inline, among: flags, actions)
                }
                let next = { setting.isSwitch ? "on" : rest.popFirst() }
                guard let value = inline ?? next() else { throw .missingValue(flag) }
                try add(GivenSetting(setting: setting, value: value, origin: flag))
            default: try add(argument)
            }
        }
    }

    /// Returns the parts of `--flag=value`; the value is nil without `=`.
    static func parts(of argument: String) -> (flag: String, value: String?) {
        guard let sign = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }

    private mutating func add(_ given: GivenSetting) throws(ConfigurationError) {
        guard let index = settings.firstIndex(where: { $0.setting == given.setting }) else {
            return settings.append(given)
        }
        guard given.setting.has(.repeatable) else { throw .repeatedFlag(given.origin) }
        // A value that is incomplete by itself does not continue the one before.
        var checked = Configuration()
        try given.setting.set(&checked, to: given.value, origin: given.origin)
        settings[index].value += "," + given.value
    }

    private mutating func add(_ text: String) throws(ConfigurationError) {
        let source = try SourceArgument(text)
        if sources.contains(where: { $0.name != nil && $0.name == source.name }) {
            throw .repeatedList(source.name ?? text)
        }
        sources.append(source)
    }
}
