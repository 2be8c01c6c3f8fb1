import Bytes
import Glibc
import HTTP
import System

func terminate(_ code: Int32) -> Never {
    exit(code)
}

func limitDescriptors(to count: Int) {
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: rlim_t(count))
    // SAFETY: the kernel reads the structure during the call only.
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

func leaveDescriptors(_ count: Int) throws {
    limitDescriptors(to: Int(try FileDescriptor.spare().rawValue) + count)
}
