import Bytes
import Glibc
import HTTP
import System

/// Ends the process of an exit test.
func terminate(_ code: Int32) -> Never {
    exit(code)
}

/// Lowers the number of descriptors this process may open, for good.
func limitDescriptors(to count: Int) {
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: rlim_t(count))
    // SAFETY: the kernel reads the structure during the call only.
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// Lowers the number of descriptors this process may open to those it has and a few more.
func leaveDescriptors(_ count: Int) throws {
    limitDescriptors(to: Int(try FileDescriptor.spare().rawValue) + count)
}

/// Sends SIGTERM to its own thread before each answer: the thread that blocks it and reads it.
final class SignallingHandler: HTTPHandler {
    func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        raise(SIGTERM)
        response.body.append("SIGTERM")
    }
}
