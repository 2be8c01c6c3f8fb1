import ListAPI
import System

extension Configuration {
    init(
        arguments: [String],
        environment: [String: String],
        readFile: (String) throws(Failure) -> String = { (path) throws(Failure) in
            try SettingsFile.text(of: path)
        }
    ) throws(Failure) {
        self.init()
        if let command = Self.information(in: arguments) {
            self.command = command
            return
        }
        let variables = try GivenSetting.read(environment)
        let words = try ServingArguments(arguments)
        let file = (words.settings + variables).first { $0.setting == .config }
        let lines = try file.map { (file) throws(Failure) in
            try Self.lines(file, readFile)
        }
        let settings = (lines ?? []) + variables + words.settings
        for given in settings {
            try given.setting.set(&self, to: given.value, origin: given.name)
            self.given[given.setting] = given.value
        }
        for given in settings {
            guard let needed = given.setting.neededName,
                !self.given.keys.contains(where: { $0.name == needed })
            else { continue }
            throw Failure(.configuration, "\(given.name) has no effect without --\(needed)")
        }
        // The settings file stays the same while the program runs.
        given[.config] = nil
        let named = sources
        if !words.sources.isEmpty { sources = words.sources }
        try read(environment)
        if tokens == nil {
            if allowsWrites, !allowsAnonymousWrites {
                throw Failure(
                    .configuration,
                    "--allow-writes lets clients with a token of --tokens write; "
                        + "--allow-anonymous-writes lets every client write"
                )
            }
            if !allowsAnonymousReads {
                throw Failure(
                    .configuration,
                    "--anonymous none needs --tokens, because no client could read anything"
                )
            }
        }
        command = words.command
        if case .settings = command {
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
    ) throws(Failure) -> [GivenSetting] {
        guard !file.value.isEmpty else { throw .missingValue(file.origin) }
        return try GivenSetting.read(try readFile(file.value), of: file.value)
    }

    private mutating func read(_ environment: [String: String]) throws(Failure) {
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

    private func checkFiles() throws(Failure) {
        for setting in Setting.all where setting.isRead {
            guard let path = given[setting],
                let reason = FileAccess.reason(path, isForWriting: false),
                setting.placeholder == "FILE" || reason != .isFolder
            else { continue }
            throw Failure(.noInput, "--\(setting.name): \(path): \(reason.text)")
        }
    }
}
