/// What of the command line or the environment is not understood.
package enum ConfigurationError: Error, Hashable, Sendable {
    /// There is no such flag.
    case unknownFlag(String, suggestion: String?)
    /// There is no such variable among those that begin with `ROSTER_`.
    case unknownVariable(String, suggestion: String?)
    /// The file of settings cannot be read.
    case unreadableFile(Failure)
    /// A line of the file of settings, by its place, is no name with a value.
    case invalidLine(String)
    /// There is no such setting as a line of the file names, by its place.
    case unknownSetting(String, at: String, suggestion: String?)
    /// A setting stands twice in the file, at two places.
    case repeatedSetting(String, at: String, first: String)
    /// A flag or variable stands without its value.
    case missingValue(String)
    /// A flag stands twice.
    case repeatedFlag(String)
    /// The value is not one of those allowed.
    case invalidValue(String, value: String, allowed: String)
    /// A line that is no field to be sent, by its place; what it says may be a secret.
    case invalidField(String)
    /// A command needs a word, called so in its usage.
    case missingArgument(String)
    /// A command takes no further word.
    case surplusArgument(String)
    /// A command needs a flag.
    case missingFlag(String)
    /// What is to be imported is no file that can be.
    case unknownImport(String)
    /// Only callers who have said who they are may write, and no way to say it is set up.
    case nobodyMayWrite
    /// Only callers who have said who they are may read, and no way to say it is set up.
    case nobodyMayRead
    /// Two sources are given one name.
    case repeatedList(String)
    /// The name of a list cannot be used.
    case invalidListName(String)
    /// An address that cannot be asked.
    case invalidAddress(String)
    /// An address of PostgreSQL whose user name or password holds a `/` or `?`; it comes masked.
    case ambiguousAddress(String)
    /// The kind of source is not one this program reads.
    case unknownSource(String)
}
