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
        readFile: (String) throws(Failure) -> String = { (path) throws(Failure) in
            try SettingsFile.text(of: path)
        }
    ) throws(ConfigurationError) {
        self.init()
        if let command = Self.information(in: arguments) {
            self.command = command
            return
        }
        let variables = try GivenSetting.read(environment)
        let words = try ServingArguments(arguments)
        let file = (words.settings + variables).first { $0.setting == .config }
        let lines = try file.map { (file) throws(ConfigurationError) in
            try Self.lines(file, readFile)
        }
        let settings = (lines ?? []) + variables + words.settings
        for given in settings {
            try given.setting.set(&self, to: given.value, origin: given.name)
            self.given[given.setting] = given.value
        }
        // The settings file stays the same while the program runs.
        given[.config] = nil
        let named = sources
        if !words.sources.isEmpty { sources = words.sources }
        try read(environment)
        if tokens == nil {
            if allowsWrites, !allowsAnonymousWrites { throw .nobodyMayWrite }
            if !allowsAnonymousReads { throw .nobodyMayRead }
        }
        switch words.action {
        case .serve: break
        case .health: command = .health
        case .explain: command = .explain
        case .settings:
            command = .settings(SettingsReport.text(settings, words.sources, named: named))
            try checkFiles()
        }
    }

    /// Returns `help` or `version` if requested, so that they work despite invalid arguments.
    private static func information(in arguments: [String]) -> Command? {
        for argument in arguments.prefix(while: { $0 != "--" }) {
            switch argument {
            case "--help", "-h": return .help
            case "--version", "-V", "-v": return .version
            default: continue
            }
        }
        return nil
    }

    private static func lines(
        _ file: GivenSetting,
        _ readFile: (String) throws(Failure) -> String
    ) throws(ConfigurationError) -> [GivenSetting] {
        guard !file.value.isEmpty else { throw .missingValue(file.origin) }
        let text: String
        do { text = try readFile(file.value) } catch { throw .unreadableFile(error) }
        return try GivenSetting.read(text, of: file.value)
    }

    /// Reads the variables of the operating system and of a service manager.
    private mutating func read(_ environment: [String: String]) throws(ConfigurationError) {
        if let folder = environment["TMPDIR"], !folder.isEmpty { temporaryFolder = folder }
        do {
            inheritedSockets = try InheritedListeners.count(in: environment)
        } catch {
            let value = environment["LISTEN_FDS"] ?? ""
            let allowed = "a number from 1 to 256"
            throw .invalidValue("LISTEN_FDS", value: value, allowed: allowed)
        }
        do {
            notifySocket = try NotifySocket(environment: environment)
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

    /// Checks that the files and folders that settings name can be read.
    private func checkFiles() throws(ConfigurationError) {
        for setting in Setting.all where setting.isRead {
            guard let path = given[setting],
                let reason = FileAccess.reason(path, isForWriting: false),
                setting.placeholder == "FILE" || reason != .isFolder
            else { continue }
            let text = "--\(setting.name): \(path): \(reason.text)"
            throw .unreadableFile(Failure(.noInput, text))
        }
    }
}
