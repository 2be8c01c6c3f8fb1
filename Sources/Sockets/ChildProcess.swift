import CLinux
import Glibc

/// Another program, started and ended by its one owner, and a connection to it.
package struct ChildProcess: ~Copyable, Sendable {
    /// What the program reads as its input and writes as its output; does not block.
    package let connection: Descriptor
    private let identifier: pid_t

    /// Starts a program, with some variables of this process and no other descriptors of it than
    /// standard error.
    ///
    /// - Parameters:
    ///   - path: The program; there is no search for it.
    ///   - name: What it is told to be called, its first argument; there are no others.
    ///   - variables: The names of the variables it gets, as far as this process has them.
    /// - Throws: What socketpair and posix_spawn report; ENOENT where there is no such program.
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
        let connection = Descriptor(adopting: ends[0])
        let childEnd = Descriptor(adopting: ends[1])
        _ = try checked("fcntl") { fcntl(connection.rawValue, F_SETFL, O_NONBLOCK) }
        identifier = try Self.spawn(path, named: name, variables, childEnd.rawValue)
        self.connection = connection
    }

    deinit {
        // The identifier is this child's until it is waited for, so no other process is hit.
        _ = kill(identifier, SIGKILL)
        // No status is asked for. A killed child ends at once, so this hardly waits.
        while waitpid(identifier, nil, 0) == -1 && errno == EINTR {}
    }

    /// Starts a program whose input and output are a descriptor.
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
        // Its own are closed by the kernel; others in this process may forget to say so of theirs.
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

    /// The variables of this process that have one of some names, as the C library keeps them, and
    /// nil.
    private static func environment(of names: Set<String>) -> [UnsafeMutablePointer<CChar>?] {
        // SAFETY: the list ends with nil, every entry is a text that ends with a zero, and nobody
        // changes them while the program runs; the addresses are handed on to posix_spawn.
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

    /// Gives a child the usual signals: this process blocks and ignores some for its own reasons.
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
    /// Whether there is no file at the path.
    package var isMissingFile: Bool { code == ENOENT || code == ENOTDIR }
}
