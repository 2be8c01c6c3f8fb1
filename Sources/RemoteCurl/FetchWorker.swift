import Remote
import System

/// The main loop of the fetching process.
package enum FetchWorker {
    /// Responds to the requests on standard input in order until the input ends.
    ///
    /// Without libcurl, every response reports that the library is missing.
    package static func run() {
        let input = FileDescriptor(adopting: 0)
        let session = CurlSession()
        // The parent process enforces time limits, so this one sets no real deadline.
        let deadline = ContinuousClock.now + .seconds(1 << 30)
        while let message = try? FetchMessage.receive(from: input, until: deadline),
            let request = FetchMessage.request(message)
        {
            let answer = session?.answer(to: request) ?? .failure(.transport(.libraryMissing))
            let bytes = FetchMessage.bytes(of: answer)
            // If sending fails, the parent process is gone.
            guard (try? FetchMessage.send(bytes, to: input, until: deadline)) == true else { break }
        }
    }
}
