import Foundation
import Sockets
import TestSupport

/// Another HTTP server, run by a test with settings of its own and for as long as the test.
final class PeerServer {
    enum Kind: String, CaseIterable {
        case nginx
        case apache2
        case haproxy

        /// Where the program is; nil where it is not installed.
        var program: String? {
            ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/"]
                .map { $0 + rawValue }
                .first(where: FileManager.default.isExecutableFile)
        }
    }

    /// The port it listens on.
    let port: UInt16

    private let folder: ScratchFolder
    private let process = Process()

    /// Starts a server that reads each request with its body, answers it with 200 and the path of
    /// `Vector.last` with 307, and gives up what takes two seconds.
    init(_ kind: Kind) throws {
        folder = try ScratchFolder()
        port = try Self.freePort()
        let settings: String
        let arguments: [String]
        let file = folder.path + "/settings"
        switch kind {
        case .nginx:
            settings = Self.nginx(port: port, folder: folder.path)
            arguments = ["-c", file, "-p", folder.path]
        case .apache2:
            let inner = try Self.freePort()
            settings = Self.apache(port: port, inner: inner, folder: folder.path)
            arguments = ["-D", "FOREGROUND", "-f", file]
        case .haproxy:
            settings = Self.haproxy(port: port)
            arguments = ["-q", "-f", file]
        }
        try folder.write(Array(settings.utf8), to: "settings")
        // Whatever becomes of the tests, it ends by itself.
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["600", kind.program ?? kind.rawValue] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitUntilListening()
    }

    deinit {
        // With its program: `timeout` leads a process group of the two. Nothing gentler will do,
        // for the signals this process blocks are blocked in them as well.
        kill(-process.processIdentifier, SIGKILL)
    }

    func connect() throws -> RawConnection { try RawConnection(port: port) }

    /// A port that is free now; nobody takes it before the server but by chance.
    private static func freePort() throws -> UInt16 {
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0]
        return try Listener(address).address.port
    }

    /// None of them tells when it is ready.
    private func waitUntilListening() throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while (try? RawConnection(port: port)) == nil {
            guard process.isRunning, .now < deadline else { throw PeerServerError.notStarted }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    private static func nginx(port: UInt16, folder: String) -> String {
        """
        daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/errors crit;
        events { worker_connections 256; }
        http {
            access_log off;
            client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fast; uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            client_header_timeout 2s; client_body_timeout 2s; keepalive_timeout 2s;
            server {
                listen 127.0.0.1:\(port);
                location = /the-end { return 307 /; }
                location / {
                    proxy_pass http://unix:\(folder)/inner;
                    proxy_http_version 1.1; proxy_ignore_client_abort on;
                }
            }
            server { listen unix:\(folder)/inner; location / { return 200 ok; } }
        }
        """
    }

    private static func apache(port: UInt16, inner: UInt16, folder: String) -> String {
        let modules = ["mpm_event", "authz_core", "alias", "proxy", "proxy_http"]
            .map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
        return modules.joined(separator: "\n") + """

            ServerRoot \(folder)
            ServerName localhost
            PidFile \(folder)/pid
            ErrorLog \(folder)/errors
            Mutex posixsem
            StartServers 1
            ServerLimit 1
            ThreadsPerChild 25
            MaxRequestWorkers 25
            MinSpareThreads 1
            MaxSpareThreads 25
            Listen 127.0.0.1:\(port)
            Listen 127.0.0.1:\(inner)
            Timeout 2
            KeepAliveTimeout 2
            TraceEnable off
            AllowEncodedSlashes NoDecode
            <VirtualHost 127.0.0.1:\(port)>
                RedirectMatch 307 ^/the-end$ /
                ProxyPass /the-end !
                ProxyPass / http://127.0.0.1:\(inner)/
                AllowEncodedSlashes NoDecode
            </VirtualHost>
            <VirtualHost 127.0.0.1:\(inner)>
                RedirectMatch 200 ^
                AllowEncodedSlashes NoDecode
            </VirtualHost>

            """
    }

    private static func haproxy(port: UInt16) -> String {
        """
        global
            maxconn 200
        defaults
            mode http
            timeout client 2s
            timeout connect 2s
            timeout server 2s
            timeout http-request 2s
        frontend conformance
            bind 127.0.0.1:\(port)
            option http-buffer-request
            http-request return status 307 if { path /the-end }
            http-request return status 200 content-type text/plain string ok

        """
    }
}

/// What keeps a test from comparing.
enum PeerServerError: Error {
    /// It has ended, or listens nowhere.
    case notStarted
}
