import CLinux
import Glibc

/// A child process with one owner, which starts and ends it, and a connection to it.
package struct ChildProcess: ~Copyable, Sendable {
    /// Does not block.
    package let connection: FileDescriptor
    private let identifier: pid_t

    /// Inherits no other descriptor than standard error.
    ///
    /// The path is not searched for. The name is the first and only argument. The child inherits
    /// the variables of these names, if this process has them.
    /// Fails with ENOENT if there is no such program.
    package init(
        path: String,
        named name: String,
        variables: Set<String>
    ) throws(SystemError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        var ends: [Int32] = [-1, -1]
        _ = try checked("socketpair") {
            // SAFETY: the kernel writes two numbers during the call only.
            unsafe socketpair(AF_UNIX, type, 0, &ends)
        }
        let connection = FileDescriptor(adopting: ends[0])
        let childEnd = FileDescriptor(adopting: ends[1])
        _ = try checked("fcntl") { fcntl(connection.rawValue, F_SETFL, O_NONBLOCK) }
        identifier = try Self.spawn(path, named: name, variables, childEnd.rawValue)
        self.connection = connection
    }

    deinit {
        // The identifier is this child's until waitpid returns, so no other process is killed.
        _ = kill(identifier, SIGKILL)
        // The status is not read. A killed child ends at once, so this hardly waits.
        while waitpid(identifier, nil, 0) == -1 && errno == EINTR {}
    }

    /// The descriptor is the input and output of the program.
    private static func spawn(
        _ path: String,
        named name: String,
        _ variables: Set<String>,
        _ descriptor: Int32
    ) throws(SystemError) -> pid_t {
        // SAFETY: both structures are initialised before any other use, used by the calls below
        // only, and destroyed before they go.
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
        // This process's own descriptors are close-on-exec. Those of libraries in it may not be.
        _ = unsafe clinux_close_from(&actions, STDERR_FILENO + 1)
        resetSignals(&attributes)
        var identifier: pid_t = 0
        let code = unsafe name.withCString { name in
            // SAFETY: the list of arguments ends with nil, and it and the name outlive the call.
            var arguments = unsafe [UnsafeMutablePointer(mutating: name), nil]
            var environment = unsafe Self.environment(of: variables)
            return unsafe posix_spawn(
                &identifier,
                path,
                &actions,
                &attributes,
                &arguments,
                &environment
            )
        }
        guard code == 0 else { throw SystemError(call: "posix_spawn", code: code) }
        return identifier
    }

    /// Returns the variables of this process with some names, as the C library stores them, and
    /// nil.
    private static func environment(of names: Set<String>) -> [UnsafeMutablePointer<CChar>?] {
        // SAFETY: the list ends with nil and every entry is a zero-terminated text. No thread
        // changes them while the program runs. The addresses are passed to posix_spawn.
        var kept: [UnsafeMutablePointer<CChar>?] = unsafe []
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            if names.contains(unsafe String(String(cString: text).prefix { $0 != "=" })) {
                unsafe kept.append(text)
            }
            unsafe entry += 1
        }
        return unsafe kept + [nil]
    }

    /// This process blocks and ignores some signals.
    private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
        // SAFETY: the caller has initialised the attributes; the set is copied by each call.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        unsafe posix_spawnattr_setflags(&attributes, flags)
    }
}

extension SystemError {
    package var isMissingFile: Bool { code == ENOENT || code == ENOTDIR }
}

/// The variables with which the process was started.
package enum ProcessEnvironment {
    /// Returns all variables, with the first value of a repeated name.
    ///
    /// Call it before other threads are started.
    package static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        // SAFETY: the C library keeps a list of texts that ends with nil. No thread changes it
        // while only one thread runs.
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            // SAFETY: every entry is a zero-terminated text.
            let parts = unsafe String(cString: text).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let name = String(parts[0])
            if parts.count == 2, variables[name] == nil { variables[name] = String(parts[1]) }
            unsafe entry += 1
        }
        return variables
    }
}
