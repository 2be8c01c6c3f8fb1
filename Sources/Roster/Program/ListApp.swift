import ListAPI
import Listings
import Locks
import RosterProgram
import System

/// A program that serves lists as JSON and HTML pages.
///
/// ```swift
/// import Roster
///
/// @main
/// struct Library: ListApp {
///     var lists: some Lists {
///         List("books", books) {
///             Column(\.title)
///             Column(\.author)
///         }
///     }
/// }
/// ```
///
/// The program has the settings, the help and the exit codes of `roster`. An error in the
/// declaration of a list is written when the program starts. SIGTERM and SIGINT end it after open
/// requests.
public protocol ListApp: Sendable {
    /// The type of the lists.
    associatedtype Body: Lists

    /// Creates the app of ``main()``.
    ///
    /// An app that needs values to be created has none: `MyApp(store: store).run()` serves it.
    init()

    /// The title of the start page, which links to all lists; `Lists` by default.
    var title: String { get }

    /// The parts that the app adds to all pages; none by default.
    var appearance: Appearance { get }

    /// The routes besides the lists; none by default.
    @RouteBuilder var routes: [Route] { get }

    /// The identification of callers; by default all clients have all rights, or `ROSTER_TOKENS`
    /// names the callers.
    var authentication: Authentication? { get }

    /// The lists, in the order of the start page.
    @ListBuilder var lists: Body { get }

    /// Prepares what the lists need, after the port is bound and before requests are taken.
    ///
    /// The default does nothing.
    func prepare() async throws

    /// Ends what the lists needed, after the last request and before the process ends.
    ///
    /// The default does nothing.
    func shutdown() async
}

extension ListApp {
    /// `Lists`.
    public var title: String { "Lists" }

    /// Adds nothing.
    public var appearance: Appearance { Appearance() }

    /// Empty.
    public var routes: [Route] { [] }

    /// Identifies no callers.
    public var authentication: Authentication? { nil }

    /// Does nothing.
    public func prepare() async throws {}

    /// Does nothing.
    public func shutdown() async {}

    /// Ends the program, because the app needs values to be created.
    public init() {
        EmbeddedProgram.stop(
            "\(Self.self) has no init(); create it and call run() instead of @main"
        )
    }

    /// Runs the app with the arguments of the process, and ends the process.
    @concurrent
    public static func main() async {
        await EmbeddedProgram.run {
            let all = ProcessArguments.all()
            let app = Self()
            let program = try EmbeddedProgram(
                title: app.title,
                frame: try app.appearance.frame(),
                arguments: Array(all.dropFirst())
            )
            let name = all.first?.split(separator: "/").last.map(String.init) ?? "app"
            if let text = try program.output(as: name) { return EmbeddedProgram.write(text) }
            try await app.serve(program, host: nil, port: nil, handlesSignals: true) { _ in }
        }
    }

    /// Serves the lists until ``RunningApp/stop()`` is called, or the process is stopped by
    /// SIGTERM or SIGINT.
    ///
    /// For programs with a main function of their own. Settings are read from the environment.
    ///
    /// - Parameters:
    ///   - host: The address to listen on; nil uses `ROSTER_HOST`, else 127.0.0.1.
    ///   - port: The port to listen on, 0 for any free one; nil uses `ROSTER_PORT`, else 8080.
    ///   - handlesSignals: Whether SIGTERM and SIGINT stop the app.
    ///   - onStart: Receives the running app, which has the bound port.
    /// - Throws: ``AppError`` when the app cannot be served.
    @concurrent
    public func run(
        host: String? = nil,
        port: UInt16? = nil,
        handlesSignals: Bool = true,
        onStart: @escaping @Sendable (RunningApp) -> Void = { _ in }
    ) async throws {
        do {
            try await serve(
                try EmbeddedProgram(title: title, frame: try appearance.frame(), arguments: []),
                host: host,
                port: port,
                handlesSignals: handlesSignals,
                onStart: onStart
            )
        } catch let failure as Failure {
            throw AppError(description: failure.text, exitCode: failure.code.rawValue)
        }
    }

    /// Serves on a thread of its own, because the server blocks it.
    private func serve(
        _ program: EmbeddedProgram,
        host: String?,
        port: UInt16?,
        handlesSignals: Bool,
        onStart: @escaping @Sendable (RunningApp) -> Void
    ) async throws {
        try await ThreadGroup.result(ofThread: "app") {
            try program.serve(
                host: host,
                port: port,
                handlesSignals: handlesSignals,
                onStart: { onStart(RunningApp($0)) }
            ) { () throws(Failure) in try contents() }
        }
        await shutdown()
    }

    /// Prepares the app, and opens its lists, on a thread that may block.
    func contents() throws(Failure) -> ServiceContents {
        do {
            try Waiting.result(within: .seconds(86_400)) { try await prepare() }
        } catch {
            throw Failure(.unavailable, "prepare(): \(error)")
        }
        var contents = ServiceContents()
        contents.routes = routes.map(\.route)
        contents.identification = authentication?.identification
        for declaration in lists.listSet.lists {
            let (list, kinds) = try declaration.open()
            contents.lists.append(list)
            for kind in kinds where !contents.controllers.contains(kind) {
                for (file, text) in kind.templates {
                    let others = contents.controllers.compactMap { $0.templates[file] }
                    guard others.allSatisfy({ $0 == text }) else {
                        throw Failure(
                            .configuration,
                            "list '\(list.name)': another list has another template for "
                                + "\(file.dropLast(5)); give the rows of one list a kind of their "
                                + "own: .kind(\"\(list.name).row\")"
                        )
                    }
                }
                contents.controllers.append(kind)
            }
        }
        return contents
    }
}
