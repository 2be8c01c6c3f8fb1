import ListAPI
import System

extension Configuration {
    /// Reads the command line, the environment and the settings file that one of them names.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name.
    ///   - environment: The environment variables of the process.
    ///   - readFile: Reads the settings file.
    /// - Throws: ``ConfigurationError`` for the first invalid setting or argument.
    init(
        arguments: [String],
        environment: [String: String],
        readFile: (String) throws(Failure) -> String = SettingsFile.text(of:)
    ) throws(ConfigurationError) {
        self.init()
        if let command = Self.question(in: arguments) {
            self.command = command
            return
        }
        let variables = try ParsedOption.read(environment)
        let words = try ServingArguments(arguments)
        let flags = words.settings
        let file = (flags + variables).first { $0.option.key == .config }
        var lines: [ParsedOption] = []
        if let file { lines = try Self.lines(file, readFile) }
        let layers = [lines, variables, flags]
        for layer in layers {
            // Groupings of this layer replace those of weaker layers.
            if layer.contains(where: { $0.option.key == .groupBy }) { groupings = [] }
            for setting in layer {
                try set(setting.option, to: setting.value, origin: setting.name)
            }
        }
        given = Self.strongest(layers)
        sources = words.sources
        if let folder = environment["TMPDIR"], !folder.isEmpty { temporaryFolder = folder }
        do {
            inheritedSockets = try InheritedListeners.count(in: environment)
        } catch {
            let value = environment["LISTEN_FDS"] ?? ""
            let allowed = "a number from 1 to 256"
            throw .invalidValue("LISTEN_FDS", value: value, allowed: allowed)
        }
        notifySocket = try Self.notifySocket(environment)
        if tokens == nil {
            if allowsWrites, !allowsAnonymousWrites { throw .nobodyMayWrite }
            if !allowsAnonymousReads { throw .nobodyMayRead }
        }
        switch words.wish {
        case .serve: break
        case .health: command = .health
        case .explain: command = .explain
        case .settings: command = .settings(SettingsReport.text(layers, sources))
        }
    }

    /// Returns the value of each setting in the strongest layer that has it.
    private static func strongest(_ layers: [[ParsedOption]]) -> [Option.Key: String] {
        layers.reduce(into: [:]) { given, layer in
            // The settings file stays the same while the program runs.
            let further = layer.filter { $0.option.key != .config }
            let values = Dictionary(grouping: further, by: \.option.key)
            given.merge(values.mapValues { $0.map(\.value).joined(separator: ",") }) { $1 }
        }
    }

    private static func notifySocket(
        _ environment: [String: String]
    ) throws(ConfigurationError) -> NotifySocket? {
        do {
            return try NotifySocket(environment: environment)
        } catch {
            switch error {
            case .invalidSocket(let value):
                let allowed = "an absolute path or @ and a name, of at most 107 bytes"
                throw .invalidValue("NOTIFY_SOCKET", value: value, allowed: allowed)
            case .invalidWatchdog(let value):
                let minimum = NotifySocket.minimumWatchdogTime
                let allowed = "a number of microseconds, \(minimum) or more"
                throw .invalidValue("WATCHDOG_USEC", value: value, allowed: allowed)
            }
        }
    }

    private static func lines(
        _ file: ParsedOption,
        _ readFile: (String) throws(Failure) -> String
    ) throws(ConfigurationError) -> [ParsedOption] {
        guard !file.value.isEmpty else { throw .missingValue(file.origin) }
        let text: String
        do { text = try readFile(file.value) } catch { throw .unreadableFile(error) }
        return try ParsedOption.read(text, of: file.value)
    }

    /// Returns `help` or `version` if requested, so that they work despite invalid arguments.
    private static func question(in arguments: [String]) -> Command? {
        for argument in arguments.prefix(while: { $0 != "--" }) {
            switch argument {
            case "--help", "-h": return .help
            case "--version", "-V": return .version
            default: continue
            }
        }
        return nil
    }
}
