import Glibc
import Locks

/// The file of a Unix socket, removed when its server ends.
package final class SocketFile: Sendable {
    /// An identity that distinguishes a file from a later one at its path.
    private struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
    }

    private let path: String
    private let identity: Locked<Identity?>

    /// The listener is from ``listener(at:)``.
    package init(_ path: String) {
        self.path = path
        identity = Locked(Self.facts(of: path)?.identity)
    }

    deinit { remove() }

    /// Removes the file, unless another server has replaced it.
    package func remove() {
        guard let own = identity.withLock({ $0.take() }), Self.facts(of: path)?.identity == own
        else { return }
        // SAFETY: the path is a C string for the duration of the call. The next server replaces a
        // file that cannot be removed.
        _ = unsafe unlink(path)
    }

    /// Listens at a path.
    ///
    /// A file left by a server that has ended is replaced. The rights of the file are 0777 less the
    /// umask. A client needs the right to write.
    ///
    /// The path has 1 to 107 bytes. The file outlives the listener.
    package static func listener(at path: String) throws(SocketFileError) -> Listener {
        guard let address = SocketAddress(path: path) else { throw .invalidPath }
        // Two servers that find the same dead file must not both replace it.
        let lock = try FolderLock(around: path)
        defer { lock.release() }
        do throws(SystemError) {
            return try Listener(address)
        } catch {
            guard error.isAddressInUse else { throw .systemCallFailed(error) }
        }
        guard facts(of: path)?.isSocket == true else { throw .occupied }
        guard isDead(address) else { throw .inUse }
        // SAFETY: the path is a C string for the duration of the call. If it fails, the second
        // attempt does as well.
        _ = unsafe unlink(path)
        do throws(SystemError) {
            return try Listener(address)
        } catch {
            throw .systemCallFailed(error)
        }
    }

    private static func isDead(_ address: SocketAddress) -> Bool {
        do throws(SystemError) {
            _ = try FileDescriptor.connected(to: address, until: .now + .seconds(1))
            return false
        } catch {
            return error.code == ECONNREFUSED
        }
    }

    private static func facts(of path: String) -> (identity: Identity, isSocket: Bool)? {
        var facts = stat()
        // SAFETY: the path is a C string, and the structure is filled, during the call only.
        guard unsafe lstat(path, &facts) == 0 else { return nil }
        let identity = Identity(device: facts.st_dev, number: facts.st_ino)
        return (identity, facts.st_mode & S_IFMT == S_IFSOCK)
    }
}

package enum SocketFileError: Error, Equatable {
    /// The path is empty, over 107 bytes long or holds a zero byte.
    case invalidPath
    case inUse
    case occupied
    case systemCallFailed(SystemError)
}

/// A lock on the folder of a path, without a file of its own.
private struct FolderLock: ~Copyable {
    private let folder: FileDescriptor

    init(around path: String) throws(SocketFileError) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let parent = path.dropLast(name.count)
        do throws(SystemError) {
            folder = try Self.locked(parent.isEmpty ? "." : String(parent))
        } catch {
            throw .systemCallFailed(error)
        }
    }

    private static func locked(_ path: String) throws(SystemError) -> FileDescriptor {
        let rawValue = try checked("open") {
            // SAFETY: the path is a C string for the duration of the call.
            unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        let folder = FileDescriptor(adopting: rawValue)
        _ = try checked("flock") { flock(rawValue, LOCK_EX) }
        return folder
    }

    /// Marks the end of the folder's lifetime.
    borrowing func release() { _ = flock(folder.rawValue, LOCK_UN) }
}
