import HTTPServer
import TestSupport
import Testing

@testable import Roster

@Suite("What clients hold comes to be what there is, by changes alone")
struct ConvergenceTests {
    @Test("ten clients of two loops, while the list is written to")
    func loops() throws {
        var configuration = Configuration()
        configuration.allowsAnonymousWrites = true
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        let shared = options
        let lists = try ListLibrary(configuration).lists
        let server = try TestServer {
            $0.loops = 2
        } makeHandler: { _ in
            try Service(lists, options: shared, isDraining: { false })
        }
        let convergence = try Convergence([server], seed: 1)
        try convergence.run(writes: Convergence.writes)
        #expect(convergence.applied > Convergence.writes / 4)
    }

    @Test("two servers on one file, of which each is told what the other one writes")
    func files() throws {
        let folder = try ScratchFolder()
        let head = "id,firstName,lastName,occupation,city,age\n"
        let people = (1...60).map { number in
            "\(number),Ada,Name \(number % 9),\(["Writer", "Nurse"][number % 2]),Oslo,\(number)\n"
        }
        try folder.write(Array((head + people.joined()).utf8), to: "users.csv")
        let database = ["--database", folder.path + "/users.sqlite"]
        // The second one finds what the first one has imported.
        let servers = try [[folder.path + "/users.csv"], []].map { sources in
            let configuration = try Configuration(
                arguments: sources + database + ["--allow-anonymous-writes"],
                environment: [:]
            )
            var options = ServiceOptions()
            options.writing = .everybody(requiresCondition: false)
            let shared = options
            let lists = try ListLibrary(configuration).lists
            return try TestServer { _ in
                try Service(lists, options: shared, isDraining: { false })
            }
        }
        let convergence = try Convergence(servers, seed: 2)
        try convergence.run(writes: Convergence.writes)
        #expect(convergence.applied > Convergence.writes / 4)
    }
}
