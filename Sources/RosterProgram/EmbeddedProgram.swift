package import ListAPI
package import Listings
import System

/// The run of a server for lists of another program.
package enum EmbeddedProgram {
    /// Serves lists until the process is stopped by SIGTERM or SIGINT, then finishes open requests.
    ///
    /// - Parameters:
    ///   - lists: The lists, in the order of the directory.
    ///   - controllers: The summaries of the row controllers, for templates.
    ///   - title: The title of the directory.
    ///   - host: The address to listen on; nil uses the settings.
    ///   - port: The port to listen on, 0 for any free one; nil uses the settings.
    /// - Throws: ``Failure`` for an invalid or unsupported setting, or when serving fails. Its text
    ///   names variables and parameters instead of options.
    package static func serve(
        _ lists: [ListDefinition],
        controllers: [RegistrationSummary],
        title: String,
        host: String?,
        port: UInt16?
    ) throws(Failure) {
        defer { StandardError.flush(within: Diagnostics.lastWait) }
        // A service reads variables and parameters, but no options.
        let name = { (option: Option) in
            switch option.key {
            case .host where host != nil: "serve(host:)"
            case .port where port != nil: "serve(port:)"
            default: option.variable
            }
        }
        do throws(Failure) {
            let environment = ProcessEnvironment.variables()
            var configuration = try Self.configuration(environment)
            guard configuration.database == nil, configuration.groupings.isEmpty,
                configuration.sourceFields.isEmpty, configuration.sourceFieldsFile == nil,
                configuration.imports.isEmpty
            else {
                throw Failure(
                    .configuration,
                    "ROSTER_DATABASE, ROSTER_GROUP_BY, ROSTER_MISSING, ROSTER_TYPES and "
                        + "ROSTER_SOURCE_FIELDS are settings of the program roster"
                )
            }
            if let host { configuration.host = host }
            if let port { configuration.port = port }
            let serving = ServeCommand(configuration, title: title) { () throws(Failure) in
                try Self.configuration(environment)
            }
            try serving.run { ServiceContents(lists: lists, controllers: controllers) }
        } catch {
            throw Failure(error.code, error.text(naming: name))
        }
    }

    private static func configuration(
        _ environment: [String: String]
    ) throws(Failure) -> Configuration {
        do throws(ConfigurationError) {
            return try Configuration(arguments: [], environment: environment)
        } catch {
            throw Failure(error)
        }
    }
}

extension Failure {
    /// Returns the message for a program with settings of other names.
    ///
    /// - Parameter name: Returns the name that replaces the flag of an option.
    /// - Returns: The message in which each flag is replaced.
    package func text(naming name: (Option) -> String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let flag = word.prefix { $0 == "-" || ("a"..."z").contains($0) }
            let option = Option.all.first { $0.flag.map { $0 == flag } ?? false }
            return option.map { name($0) + word.dropFirst(flag.count) } ?? String(word)
        }
        return words.joined(separator: " ")
    }
}
