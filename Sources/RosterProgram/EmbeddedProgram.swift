import Glibc
package import HTTPServer
package import ListAPI
import Listings
package import Rendering
import System

package struct EmbeddedProgram: Sendable {
    private let title: String
    private let frame: PageFrame
    private let configuration: Configuration
    private let arguments: [String]

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
        var configuration = try Configuration(
            arguments: arguments,
            environment: ProcessEnvironment.variables()
        )
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
    package func output(as name: String) throws(Failure) -> String? {
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
    package func serve(
        host: String? = nil,
        port: UInt16? = nil,
        handlesSignals: Bool = true,
        onStart: @escaping @Sendable (HTTPServer) -> Void = { _ in },
        _ makeContents: () throws(Failure) -> ServiceContents
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
            var contents = try makeContents()
            try contents.check()
            try contents.addHistory(configuration, isWritable: true)
            try contents.check()
            if contents.identification != nil {
                for setting in Setting.all
                where setting.has(.ofCallers) && configuration.given[setting] != nil {
                    throw Failure(
                        .usage,
                        "\(setting.variable): this program identifies callers itself"
                    )
                }
            }
            return contents
        }
    }

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

    package static func stop(_ reason: String) -> Never {
        Diagnostics.write(reason, .error)
        StandardError.flush(within: Diagnostics.lastWait)
        exit(ExitCode.configuration.rawValue)
    }

    package static func write(_ text: String) { StandardOutput.write(text) }
}
