import Glibc
package import HTTPServer
package import ListAPI
package import Listings
package import Rendering
import System

/// The run of a program that serves its own lists.
package struct EmbeddedProgram: Sendable {
    /// The parts of a program that is served.
    package struct Contents: Sendable {
        package var lists: [ListDefinition] = []
        /// The summaries of their row controllers.
        package var controllers: [RegistrationSummary] = []
        /// The routes besides the lists.
        package var routes: [ProgramRoute] = []
        /// The function that identifies callers; nil without one.
        package var identification: CallerIdentification?

        package init() {}
    }

    private let title: String
    private let frame: PageFrame
    private let configuration: Configuration
    private let arguments: [String]

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - title: The title of the directory of lists.
    ///   - frame: The parts that the program adds to all pages.
    ///   - arguments: The arguments after the program's name.
    /// - Throws: ``Failure`` for invalid settings.
    package init(title: String, frame: PageFrame, arguments: [String]) throws(Failure) {
        self.title = title
        self.frame = frame
        self.arguments = arguments
        configuration = try Self.configuration(arguments, frame)
    }

    private static func configuration(
        _ arguments: [String],
        _ frame: PageFrame
    ) throws(Failure) -> Configuration {
        var configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try Configuration(
                arguments: arguments,
                environment: ProcessEnvironment.variables()
            )
        } catch {
            throw Failure(error)
        }
        configuration.pages.declared = frame
        if let source = configuration.sources.first {
            throw Failure(
                .usage,
                "\(source.shown): this program serves its own lists, and takes no sources"
            )
        }
        for setting in Setting.all
        where setting.has(.ofSources) && configuration.given[setting] != nil {
            throw Failure(
                .usage,
                "\(setting.variable): this program serves its own lists, which "
                    + "this setting of roster does not change"
            )
        }
        return configuration
    }

    /// Returns the text that the arguments request; nil if they request to serve.
    ///
    /// - Parameter name: The name of the program.
    /// - Returns: The text, perhaps empty.
    /// - Throws: ``Failure``.
    package func answer(as name: String) throws(Failure) -> String? {
        switch configuration.command {
        case .help: return Self.help(of: name)
        case .version: return "roster \(RosterVersion.current)\n"
        case .settings(let text): return text
        case .health:
            try HealthCheck.run(configuration)
            return ""
        case .explain: throw Failure(.usage, "--explain: this program has no databases to explain")
        case .serve: return nil
        }
    }

    private static func help(of name: String) -> String {
        let settings = Setting.all.filter { !$0.has(.ofSources) }
        let actions = HelpText.actions.filter { $0.name != "--explain" }
        let lines =
            ["Usage: \(name) [options]", ""] + HelpText.rows(of: settings)
            + HelpText.rows(of: actions) + [""] + HelpText.exitCodes
        return lines.joined(separator: "\n") + "\n"
    }

    /// Serves lists until the process is stopped by SIGTERM or SIGINT, or ``HTTPServer/stop()`` is
    /// called, then finishes open requests.
    ///
    /// - Parameters:
    ///   - host: The address to listen on; nil uses the settings.
    ///   - port: The port to listen on, 0 for any free one; nil uses the settings.
    ///   - handlesSignals: Whether signals control the server.
    ///   - onStart: Receives the server before it takes requests.
    ///   - makeContents: Makes the lists.
    /// - Throws: ``Failure``.
    package func serve(
        host: String? = nil,
        port: UInt16? = nil,
        handlesSignals: Bool = true,
        onStart: @escaping @Sendable (HTTPServer) -> Void = { _ in },
        _ makeContents: () throws(Failure) -> Contents
    ) throws(Failure) {
        var configuration = configuration
        if let host { configuration.host = host }
        if let port { configuration.port = port }
        var serving = ServeCommand(configuration, title: title) {
            [arguments, frame] () throws(Failure) in try Self.configuration(arguments, frame)
        }
        serving.onStart = onStart
        serving.handlesSignals = handlesSignals
        serving.identifiesPeers = true
        try serving.run { () throws(Failure) in
            let contents = try makeContents()
            guard !contents.lists.isEmpty else {
                throw Failure(.configuration, "the program has no list; declare one in 'lists'")
            }
            for (position, list) in contents.lists.enumerated()
            where contents.lists[..<position].contains(where: { $0.name == list.name }) {
                throw Failure(.configuration, "two lists have the name '\(list.name)'")
            }
            try ProgramRoute.check(contents.routes, besides: contents.lists.map(\.name))
            if contents.identification != nil {
                for setting in Setting.all
                where setting.has(.ofCallers) && configuration.given[setting] != nil {
                    throw Failure(
                        .usage,
                        "\(setting.variable): this program identifies callers itself"
                    )
                }
            }
            var served = ServiceContents(lists: contents.lists, controllers: contents.controllers)
            (served.routes, served.identification) = (contents.routes, contents.identification)
            return served
        }
    }

    /// Runs a body as the main function of a program, and ends the process.
    ///
    /// - Parameter body: The body, whose error is written as `roster` writes its errors.
    package static func run(_ body: () async throws -> Void) async -> Never {
        StandardDescriptors.open()
        var code = ExitCode.done
        do {
            try await body()
        } catch {
            let failure = error as? Failure ?? Failure(.software, "\(error)")
            for line in failure.text.split(separator: "\n") {
                Diagnostics.write(String(line), .error)
            }
            code = failure.code
        }
        StandardError.flush(within: Diagnostics.lastWait)
        exit(code.rawValue)
    }

    package static func write(_ text: String) { StandardOutput.write(text) }
}
