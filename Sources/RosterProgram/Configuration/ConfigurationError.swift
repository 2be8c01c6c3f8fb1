package import ListAPI

/// An error in the command line, the environment or the settings file.
package enum ConfigurationError: Error, Hashable, Sendable {
    case unknownFlag(String, suggestion: String?)
    /// The variable begins with `ROSTER_` and is unknown.
    case unknownVariable(String, suggestion: String?)
    /// The settings file cannot be read.
    case unreadableFile(Failure)
    /// A line of the settings file, by its number, is not a name with a value.
    case invalidLine(String)
    /// A line of the settings file, by its number, names an unknown setting.
    case unknownSetting(String, at: String, suggestion: String?)
    /// A setting occurs twice in the settings file, at two lines.
    case repeatedSetting(String, at: String, first: String)
    /// A flag, variable or setting has no value.
    case missingValue(String)
    /// A flag occurs twice.
    case repeatedFlag(String)
    /// The value is not allowed.
    case invalidValue(String, value: String, allowed: String)
    /// A line, by its number, is not a header field; its text may be a secret.
    case invalidField(String)
    /// A command lacks an argument, which has this name in its usage.
    case missingArgument(String)
    /// A command accepts no further argument.
    case surplusArgument(String)
    /// A command lacks a required flag.
    case missingFlag(String)
    /// The source cannot be imported, because it is no file of a known format.
    case unknownImport(String)
    /// Only authenticated callers may write, but no authentication is configured.
    case nobodyMayWrite
    /// Only authenticated callers may read, but no authentication is configured.
    case nobodyMayRead
    /// Two sources have the same name.
    case repeatedList(String)
    /// The name of a list is not allowed.
    case invalidListName(String)
    /// The URL of a source is invalid.
    case invalidAddress(String)
    /// The user name or password of a PostgreSQL URL contains `/` or `?`; the URL is masked.
    case ambiguousAddress(String)
    /// The program cannot read this kind of source.
    case unknownSource(String)
    /// The source is a file with the parameters of a list's address.
    case sourceWithParameters(String)

    /// Returns the error of a flag that is no option, or is a command with a value.
    static func unknown(
        _ flag: String,
        value: String?,
        among flags: [String],
        _ commands: [String]
    ) -> ConfigurationError {
        let commands = commands + ["--help"]
        guard let value, commands.contains(flag) else {
            let near = Suggestion.nearest(to: flag, among: flags + commands)
            return .unknownFlag(flag, suggestion: near)
        }
        return .invalidValue(flag, value: value, allowed: "possible, because it takes no value")
    }
}
