import ListAPI

struct ServingArguments {
    private(set) var command = Configuration.Command.serve
    private(set) var sources: [SourceArgument] = []
    private(set) var settings: [GivenSetting] = []

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--health": command = .health
            case "--explain": command = .explain
            case "--print-config": command = .settings("")
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

    static func parts(of argument: String) -> (flag: String, value: String?) {
        guard let sign = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }

    private mutating func add(_ given: GivenSetting) throws(Failure) {
        guard let index = settings.firstIndex(where: { $0.setting == given.setting }) else {
            return settings.append(given)
        }
        guard given.setting.has(.repeatable) else { throw .repeatedFlag(given.origin) }
        // A value that is incomplete by itself does not continue the one before.
        var checked = Configuration()
        try given.setting.set(&checked, to: given.value, origin: given.origin)
        settings[index].value = given.setting.joined(given.value, to: settings[index].value)
    }

    private mutating func add(_ text: String) throws(Failure) {
        let source = try SourceArgument(text)
        if sources.contains(where: { $0.name != nil && $0.name == source.name }) {
            throw .repeatedList(source.name ?? text)
        }
        sources.append(source)
    }
}
