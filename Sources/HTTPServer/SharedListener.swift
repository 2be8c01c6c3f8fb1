import Locks
import Sockets

/// A listener on its way from the thread that bound it to the loop that takes it over.
final class SharedListener: Sendable {
    private let listener: Locked<Listener?>

    init(_ listener: consuming sending Listener) {
        self.listener = Locked(listener)
    }

    /// Hands the listener over, once; nil afterwards.
    func take() -> Listener? {
        listener.withLock { $0.take() }
    }
}

extension SharedListener {
    /// Every address bound, and for each loop a listener on each of them.
    struct Bound {
        var addresses: [HTTPServer.Address] = []
        var listeners: [[SharedListener]]
    }

    /// Binds every address of the configured host, once for each loop.
    static func bind(
        _ configuration: HTTPServer.Configuration,
        loops: Int
    ) throws(ServerError) -> Bound {
        let host = configuration.host
        let addresses: [SocketAddress]
        do throws(AddressError) {
            addresses = try SocketAddress.resolve(host: host, port: configuration.port)
        } catch {
            throw .unknownHost(host)
        }
        // Any free port of the first address may be taken on the second: another is tried then.
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
        var bound = Bound(listeners: Array(repeating: [], count: loops))
        var unavailable: ServerError?
        var port = addresses[0].port
        for var address in addresses {
            address.port = port
            do throws(SystemError) {
                port = try bound.add(address, loops: loops)
            } catch {
                // A name may have addresses this machine has not, such as ::1 in a container.
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
    /// Listens on an address for each loop, and gives the port bound.
    fileprivate mutating func add(
        _ address: SocketAddress,
        loops: Int
    ) throws(SystemError) -> UInt16 {
        let first = try Listener(address)
        let bound = try first.address
        var siblings: [SharedListener] = []
        for _ in 1..<loops { siblings.append(SharedListener(try first.sibling())) }
        listeners[0].append(SharedListener(first))
        for (loop, sibling) in siblings.enumerated() { listeners[loop + 1].append(sibling) }
        addresses.append(HTTPServer.Address(host: bound.host, port: Int(bound.port)))
        return bound.port
    }
}
