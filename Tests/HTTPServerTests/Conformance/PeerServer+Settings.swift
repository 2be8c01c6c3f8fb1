/// What the servers are told; every file they write is in the folder of the test.
extension PeerServer {
    static func nginx(port: UInt16, folder: String) -> String {
        nginx(
            folder: folder,
            """
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
            """
        )
    }

    static func nginx(port: UInt16, folder: String, before servers: [UInt16]) -> String {
        let servers = servers.map { "server 127.0.0.1:\($0);" }.joined(separator: " ")
        return nginx(
            folder: folder,
            """
            upstream lists { \(servers) keepalive 16; }
            server {
                listen 127.0.0.1:\(port);
                location / {
                    proxy_pass http://lists;
                    proxy_http_version 1.1; proxy_set_header Connection '';
                }
            }
            """
        )
    }

    private static func nginx(folder: String, _ servers: String) -> String {
        """
        daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/errors crit;
        events { worker_connections 256; }
        http {
            access_log off;
            client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fast; uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            \(servers)
        }
        """
    }

    static func apache(port: UInt16, inner: UInt16, folder: String) -> String {
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

    static func haproxy(port: UInt16) -> String {
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

    static func haproxy(port: UInt16, before servers: [UInt16]) -> String {
        let servers = servers.map { "    server s\($0) 127.0.0.1:\($0)" }.joined(separator: "\n")
        // A kept connection may be closed just when a request is on its way; it is sent again then.
        return """
            defaults
                mode http
                timeout client 20s
                timeout connect 20s
                timeout server 20s
                option redispatch 1
                retry-on conn-failure empty-response
            frontend proxy
                bind 127.0.0.1:\(port)
                default_backend lists
            backend lists
            \(servers)

            """
    }
}
