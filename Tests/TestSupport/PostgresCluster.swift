import Foundation

/// A PostgreSQL of the tests' own: a new cluster in a temporary folder, reached by a socket there.
///
/// It ends with whoever started it, however that ends: it runs below a shell that waits for the end
/// of its input, stops the cluster and removes the folder.
package final class PostgresCluster: @unchecked Sendable {
    /// The cluster that tests share which leave it running; nil where PostgreSQL is not installed.
    package static let shared: PostgresCluster? = PostgresCluster()

    /// Where the programs of PostgreSQL are; nil where it is not installed.
    package static let programs: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap(Int.init).sorted().reversed()
            .map { "\(root)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()
    private static let root = "/usr/lib/postgresql"

    private let shell = Process()
    private let input = Pipe()
    private let output = Pipe()
    /// The folder of the cluster and of its socket.
    package let folder: String

    /// Starts a cluster with a database and a superuser called `tester`, who needs no password, and
    /// a user `secretive`, who needs `correct horse`.
    ///
    /// The result is nil where PostgreSQL is not installed.
    package init?() {
        guard let programs = Self.programs else { return nil }
        folder = "/tmp/roster-postgres-\(UInt64.random(in: 0...UInt64.max))"
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = ["-c", Self.script, "bash", programs, folder]
        shell.standardInput = input
        shell.standardOutput = output
        do { try shell.run() } catch { return nil }
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard said.hasPrefix("ready") else {
            FileHandle.standardError.write(Data("no PostgreSQL for tests: \(said)\n".utf8))
            return nil
        }
    }

    deinit { try? input.fileHandleForWriting.close() }

    /// The server does not run for root, so root becomes somebody else for it.
    private static let script = """
        programs=$1 folder=$2
        exec 2>&1
        # The server lives longer than what other tests wait for the end of at the same time.
        for descriptor in /proc/self/fd/*; do
            number=${descriptor##*/}
            [ "$number" -le 2 ] || eval "exec $number>&-"
        done
        trap '' INT
        as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
        finish() {
            as "$programs/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1
            rm -rf "$folder"
        }
        mkdir -m 700 "$folder" || exit 1
        [ "$(id -u)" != 0 ] || chown postgres "$folder"
        as "$programs/initdb" -D "$folder/data" -U tester -A trust -E UTF8 --locale=C.UTF-8 \\
            --no-sync >"$folder.log" || { cat "$folder.log"; finish; exit 1; }
        as sh -c "echo 'local all secretive scram-sha-256
        local all all trust' >'$folder/data/pg_hba.conf'"
        as sh -c "echo \\"listen_addresses = ''
        unix_socket_directories = '$folder'
        fsync = off
        full_page_writes = off
        max_connections = 200
        autovacuum = off
        jit = off\\" >>'$folder/data/postgresql.conf'"
        as "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w start >"$folder.log" 2>&1 \\
            || { cat "$folder.log" "$folder/log"; finish; exit 1; }
        rm -f "$folder.log"
        psql() { as "$programs/psql" -h "$folder" -U tester -d postgres -q -v ON_ERROR_STOP=1 "$@"; }
        psql -c "CREATE USER secretive PASSWORD 'correct horse'" -c 'CREATE DATABASE tester'
        echo ready
        exec >/dev/null
        while read -r command; do as "$programs/pg_ctl" -D "$folder/data" $command; done
        finish
        """

    /// The address of the cluster's database.
    ///
    /// - Parameters:
    ///   - user: The user, with `:` and a password if wanted.
    ///   - database: The database.
    ///   - schema: Where tables are looked for; nil leaves it to the server.
    /// - Returns: The address.
    package func address(
        user: String = "tester",
        database: String = "tester",
        schema: String? = nil
    ) -> String {
        let path = schema.map { "&options=-csearch_path%3D\($0)" } ?? ""
        return "postgres://\(user)@/\(database)?host=\(folder)\(path)"
    }

    /// Runs statements as the superuser, one transaction each.
    @discardableResult
    package func run(_ sql: String, database: String = "tester") throws -> String {
        try Self.output(
            of: (Self.programs ?? "") + "/psql",
            [
                "-h", folder, "-U", "tester", "-d", database, "-q", "-t", "-A",
                "-v", "ON_ERROR_STOP=1", "-c", sql,
            ]
        )
    }

    /// Stops the server, or starts it, and waits until it has.
    package func control(_ action: Action) throws {
        let words = action == .start ? "-l \(folder)/log -w start" : "-m immediate -w stop"
        try input.fileHandleForWriting.write(contentsOf: Data((words + "\n").utf8))
        // What the shell does is done when the server's file of its process comes or goes.
        let file = folder + "/data/postmaster.pid"
        for _ in 0..<3000 {
            let status = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            let isReady = status.split(separator: "\n").last?.hasPrefix("ready") ?? false
            if action == .start ? isReady : status.isEmpty { return }
            usleep(10_000)
        }
        throw CocoaError(.executableLoad)
    }

    /// What can be done to the server.
    package enum Action {
        /// Starts it again.
        case start
        /// Stops it as if it had crashed.
        case stop
    }

    /// Runs a program to its end.
    ///
    /// It writes to a file: the end of a pipe would also be that of every process which was started
    /// at the same time and took the pipe along.
    private static func output(of program: String, _ arguments: [String]) throws -> String {
        let scratch = try ScratchFolder()
        try scratch.write([], to: "output")
        let path = URL(filePath: scratch.path + "/output")
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: path)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return String(decoding: try Data(contentsOf: path), as: UTF8.self)
    }
}
