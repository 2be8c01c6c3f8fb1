import Foundation

/// A PostgreSQL of the tests' own: a new cluster in a temporary folder, reached by a socket there.
///
/// It ends with the process that started it, however that ends: a shell waits for it, stops the
/// cluster and removes the folder.
package final class PostgresCluster: Sendable {
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

    package let folder: String

    /// Starts a cluster with a database and a superuser called `tester`, who needs no password, and
    /// a user `secretive`, who needs `correct horse`.
    ///
    /// The result is nil where PostgreSQL is not installed.
    package init?() {
        guard Self.programs != nil else { return nil }
        folder = "/tmp/roster-postgres-\(UInt64.random(in: 0...UInt64.max))"
        do {
            try shell("create", "\(ProcessInfo.processInfo.processIdentifier)")
        } catch {
            let text = "no PostgreSQL for tests: \(error)\n"
            FileHandle.standardError.write(Data(text.utf8))
            return nil
        }
    }

    /// Stops the server, or starts it, and waits until it has.
    package func control(_ action: Action) throws { try shell(action.rawValue) }

    package enum Action: String {
        case start
        case stop
    }

    private func shell(_ words: String...) throws {
        let arguments = ["-c", Self.script, "bash", Self.programs ?? "", folder] + words
        try Self.output(of: "/bin/bash", arguments)
    }

    /// A function of the shell for a process that outlives this one's interest in it.
    ///
    /// Foundation takes a process as running while a descriptor that it passed is open, here or in
    /// a process that was started meanwhile.
    package static let leaveBehind = """
        leave_behind() {
            for descriptor in /proc/self/fd/*; do
                number=${descriptor##*/}
                [ "$number" -le 2 ] || eval "exec $number>&-"
            done
        }
        """

    /// What is done to a cluster.
    ///
    /// The server does not run for root, so root becomes somebody else for it. What lives on takes
    /// nothing along that this process, or another test in it, waits for the end of.
    private static let script = """
        programs=$1 folder=$2 action=$3 owner=${4:-}
        as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
        \(leaveBehind)
        start() (
            leave_behind
            as "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w start
        ) </dev/null >/dev/null 2>&1
        stop() { as "$programs/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1; }
        case $action in
        start | stop) "$action"; exit ;;
        esac
        mkdir -m 700 "$folder" || exit
        [ "$(id -u)" != 0 ] || chown postgres "$folder"
        (
            leave_behind
            tail --pid="$owner" -f /dev/null
            stop
            rm -rf "$folder"
        ) </dev/null >/dev/null 2>&1 &
        as "$programs/initdb" -D "$folder/data" -U tester -A trust -E UTF8 --locale=C.UTF-8 \\
            --no-sync >/dev/null || exit
        as sh -c "cat >'$folder/data/pg_hba.conf'" <<RULES
        local all secretive scram-sha-256
        local all all trust
        RULES
        as sh -c "cat >>'$folder/data/postgresql.conf'" <<SETTINGS
        listen_addresses = ''
        unix_socket_directories = '$folder'
        fsync = off
        full_page_writes = off
        max_connections = 200
        autovacuum = off
        SETTINGS
        start || { cat "$folder/log" >&2; exit 1; }
        as "$programs/psql" -h "$folder" -U tester -d postgres -q -v ON_ERROR_STOP=1 \\
            -c "CREATE USER secretive PASSWORD 'correct horse'" -c 'CREATE DATABASE tester' || exit
        # It comes with most servers.
        as "$programs/psql" -h "$folder" -U tester -d tester -q \\
            -c 'CREATE EXTENSION pg_trgm SCHEMA public' >/dev/null 2>&1 || true
        """

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

    /// Runs a program to its end.
    ///
    /// It writes to a file: the end of a pipe would also be that of every process which was started
    /// at the same time and took the pipe along.
    @discardableResult
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

extension PostgresCluster {
    /// Waits until so many statements sleep in a database.
    package func waitForSleepers(_ count: Int, in database: String = "tester") throws {
        try run(
            """
            SET statement_timeout = '60s';
            DO $$ BEGIN
                WHILE (SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'
                    AND datname = current_database() AND pid <> pg_backend_pid()) <> \(count)
                LOOP PERFORM pg_sleep(0.01), pg_stat_clear_snapshot(); END LOOP;
            END $$
            """,
            database: database
        )
    }
}
