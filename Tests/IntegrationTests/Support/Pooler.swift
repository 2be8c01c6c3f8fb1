import Foundation
import TestSupport
import Testing

/// A pgbouncer of a test's own before a cluster, which ends with it or with the tests.
final class Pooler: Sendable {
    /// Where pgbouncer is; nil where it is not installed.
    static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let folder: String

    /// Starts a pooler, and waits until it serves.
    init(before cluster: PostgresCluster, mode: String, size: Int) throws {
        folder = "/tmp/roster-pooler-\(UInt64.random(in: 0...UInt64.max))"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [
            "-c", Self.script, "bash", folder, cluster.folder, mode, "\(size)",
            Self.program ?? "", "\(ProcessInfo.processInfo.processIdentifier)",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        while try run("SELECT 1", in: "tester").code != 0 {
            try #require(FileManager.default.fileExists(atPath: folder), "pgbouncer ended")
        }
    }

    deinit {
        let number = try? String(contentsOfFile: folder + "/number", encoding: .utf8)
        let pooler = number.flatMap { Int32($0.split(separator: "\n").first ?? "") }
        if let pooler { kill(pooler, SIGKILL) }
    }

    /// Starts pgbouncer, and a process that tidies up after it or after the tests.
    ///
    /// pgbouncer does not run for root, so root becomes another user for it.
    private static let script = """
        \(PostgresCluster.leaveBehind)
        folder=$1 cluster=$2 mode=$3 size=$4 program=$5 owner=$6
        mkdir "$folder" && cat >"$folder/settings" <<SETTINGS || exit
        [databases]
        * = host=$cluster user=tester
        [pgbouncer]
        listen_port = 6432
        listen_addr =
        unix_socket_dir = $folder
        pidfile = $folder/number
        auth_type = any
        pool_mode = $mode
        default_pool_size = $size
        max_client_conn = 200
        SETTINGS
        as=
        if [ "$(id -u)" = 0 ]; then
            chown -R postgres "$folder"
            as='setpriv --reuid=postgres --regid=postgres --clear-groups'
        fi
        (
            leave_behind
            $as "$program" -q "$folder/settings" &
            pooler=$!
            while kill -0 "$owner" && kill -0 $pooler; do sleep 0.1; done
            kill -9 $pooler
            rm -rf "$folder"
        ) </dev/null >/dev/null 2>&1 &
        """

    func address(_ database: String) -> String {
        "postgres://tester@/\(database)?host=\(folder)&port=6432"
    }

    func run(_ sql: String, in database: String) throws -> (output: String, code: Int32) {
        try OutsideProgram.run(
            (PostgresCluster.programs ?? "") + "/psql",
            ["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, address(database)]
        )
    }
}
