import Locks
import System

/// A one-shot mailbox: the thread that binds a listener puts it, the loop takes it.
final class SharedListener: Sendable {
    private let listener: Locked<Listener?>

    /// Whether other loops accept connections from the same socket.
    let isShared: Bool

    init(_ listener: consuming sending Listener, isShared: Bool = false) {
        self.listener = Locked(listener)
        self.isShared = isShared
    }

    func take() -> Listener? {
        listener.withLock { $0.take() }
    }
}

extension SharedListener {
    /// One listener on each address for each loop.
    struct Bound {
        var addresses: [HTTPServer.Address] = []
        var listeners: [[SharedListener]]
        var socketFile: SocketFile?

        init(loops: Int) {
            listeners = Array(repeating: [], count: loops)
        }
    }

    /// Takes over the inherited sockets, if configured.
    ///
    /// Otherwise binds the configured path, or every address of the host once for each loop.
    static func bind(
        _ configuration: HTTPServer.Configuration,
        loops: Int
    ) throws(ServerError) -> Bound {
        let host = configuration.host
        var bound = Bound(loops: loops)
        if configuration.inheritedSockets > 0 {
            for index in 0..<configuration.inheritedSockets { try bound.addInherited(index) }
            return bound
        }
        if host.hasPrefix("unix:") {
            try bound.addFile(String(host.dropFirst(5)))
            return bound
        }
        let addresses: [SocketAddress]
        do throws(AddressError) {
            addresses = try SocketAddress.resolve(host: host, port: configuration.port)
        } catch {
            throw .unknownHost(host)
        }
        // A port that is free on the first address may be taken on the second. Another is tried
        // then.
        for _ in 0..<8 where configuration.port == 0 && addresses.count > 1 {
            if let bound = try? bind(addresses, host: host, loops: loops) { return bound }
        }
        return try bind(addresses, host: host, loops: loops)
    }

    private static func bind(
        _ addresses: [SocketAddress],
        host: String,
        loops: Int
    ) throws(ServerError) -> Bound {
        var bound = Bound(loops: loops)
        var unavailable: ServerError?
        var port = addresses[0].port
        for var address in addresses {
            address.port = port
            do throws(SystemError) {
                port = try bound.add(address)
            } catch {
                // A name may have addresses that this machine lacks, such as ::1 in a container.
                let error = ServerError(error, listeningOn: host, port: port)
                guard case .addressUnavailable = error else { throw error }
                unavailable = error
            }
        }
        if bound.addresses.isEmpty, let unavailable { throw unavailable }
        return bound
    }
}

extension SharedListener.Bound {
    /// Listens once for each loop.
    ///
    /// Returns the port bound.
    fileprivate mutating func add(_ address: SocketAddress) throws(SystemError) -> UInt16 {
        let first = try Listener(address)
        let bound = try first.address
        var siblings: [SharedListener] = []
        for _ in 1..<listeners.count { siblings.append(SharedListener(try first.sibling())) }
        listeners[0].append(SharedListener(first))
        for (loop, sibling) in siblings.enumerated() { listeners[loop + 1].append(sibling) }
        addresses.append(HTTPServer.Address(host: bound.host, port: Int(bound.port)))
        return bound.port
    }

    fileprivate mutating func addFile(_ path: String) throws(ServerError) {
        let listener: Listener
        do throws(SocketFileError) {
            listener = try SocketFile.listener(at: path)
        } catch {
            throw ServerError(error, at: path)
        }
        socketFile = SocketFile(path)
        do throws(SystemError) {
            try share(listener)
        } catch {
            throw ServerError(error)
        }
    }

    /// The socket was opened before this process started.
    fileprivate mutating func addInherited(_ index: Int) throws(ServerError) {
        let listener: Listener
        do throws(InheritanceError) {
            listener = try InheritedListeners.take(index)
        } catch {
            throw ServerError(error)
        }
        do throws(SystemError) {
            try share(listener)
        } catch {
            throw ServerError(error)
        }
    }

    private mutating func share(
        _ listener: consuming sending Listener
    ) throws(SystemError) {
        let address = try listener.address
        let isShared = listeners.count > 1
        for loop in 1..<max(1, listeners.count) {
            listeners[loop].append(SharedListener(try listener.duplicate(), isShared: isShared))
        }
        listeners[0].append(SharedListener(listener, isShared: isShared))
        addresses.append(HTTPServer.Address(host: address.host, port: Int(address.port)))
    }
}
