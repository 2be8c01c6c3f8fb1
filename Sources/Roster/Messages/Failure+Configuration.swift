package import ListAPI

extension Failure {
    /// Creates the message about an invalid command line or environment.
    package init(_ error: ConfigurationError) {
        switch error {
        case .unknownFlag(let flag, let suggestion):
            self.init(.usage, "no option \(flag)\(Suggestion.hint(suggestion)); see roster --help")
        case .unknownVariable(let name, let suggestion):
            self.init(
                .configuration,
                "no setting \(name)\(Suggestion.hint(suggestion)); see roster --help"
            )
        case .unreadableFile(let failure): self = failure
        case .invalidLine(let place):
            self.init(
                .configuration,
                "\(place): no setting; allowed: NAME = VALUE, as in port = 80"
            )
        case .unknownSetting(let name, let place, let suggestion):
            self.init(
                .configuration,
                "\(place): no setting '\(name)'\(Suggestion.hint(suggestion)); see roster --help"
            )
        case .repeatedSetting(let name, let place, let first):
            self.init(.configuration, "\(place): '\(name)' stands at \(first) already")
        case .missingValue(let origin):
            self.init(Self.code(of: origin), "\(origin) needs a value")
        case .repeatedFlag(let flag):
            self.init(.usage, "\(flag) is given twice")
        case .invalidValue(let origin, let value, let allowed):
            self.init(Self.code(of: origin), "\(origin): '\(value)' is not \(allowed)")
        case .invalidField(let place):
            self.init(
                .configuration,
                "\(place): no field that can be sent; allowed: NAME: VALUE, as in Authorization: "
                    + "Bearer …, and LIST=NAME: VALUE"
            )
        case .missingArgument(let name): self.init(.usage, "\(name) is missing; see roster --help")
        case .surplusArgument(let text):
            self.init(.usage, "'\(text)' is one too many; see roster --help")
        case .missingFlag(let flag): self.init(.usage, "\(flag) is needed; see roster --help")
        case .unknownImport(let text):
            self.init(
                .usage,
                "'\(text)' cannot be imported; allowed: .csv, .tsv, .json, .ndjson files"
            )
        case .nobodyMayWrite:
            self.init(
                .configuration,
                "--allow-writes is for callers who say who they are, by the tokens of --tokens; "
                    + "--allow-anonymous-writes lets everybody write who reaches the server"
            )
        case .nobodyMayRead:
            self.init(
                .configuration,
                "--anonymous none needs --tokens, or nobody could read anything"
            )
        case .repeatedList(let name):
            self.init(.usage, "two lists are named '\(name)'; name one by NAME=FILE")
        case .invalidListName(let name):
            self.init(
                .usage,
                "a list cannot be named '\(name)': names have no /, no control characters, are not "
                    + "'-' and do not begin with sqlite_ or roster_"
            )
        case .unknownSource(let text):
            self.init(
                .usage,
                "'\(text)' is no source this program reads; allowed: .csv, .tsv, .json, .ndjson, "
                    + ".sqlite, .db, postgres://…, http://…, https://…, also as NAME=SOURCE"
            )
        case .invalidAddress(let text):
            self.init(
                .usage,
                "'\(text)' is not an address of a source; allowed: postgres://…, "
                    + "http://HOST[:PORT]/PATH and https://…, the last two without user name and "
                    + "spaces"
            )
        case .ambiguousAddress(let text):
            self.init(
                .usage,
                "'\(text)': write '/' as %2F, '?' as %3F and '#' as %23 in a user name or password"
            )
        }
    }

    private static func code(of origin: String) -> ExitCode {
        origin.hasPrefix("-") ? .usage : .configuration
    }
}
