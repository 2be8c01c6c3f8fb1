import Remote
import Sockets

/// What a process does that was started to fetch.
package enum FetchLoop {
    /// Answers the requests that come in on standard input, one after another, until it ends.
    ///
    /// Where libcurl is not there, every answer says so.
    package static func run() {
        let input = Descriptor(adopting: 0)
        let session = CurlSession()
        // Who started this process keeps the time; while nothing is asked there is none to keep.
        let deadline = ContinuousClock.now + .seconds(1 << 30)
        while let message = try? FetchMessage.receive(from: input, until: deadline),
            let request = FetchMessage.request(message)
        {
            let answer = session?.answer(to: request) ?? .failure(.transport(.libraryMissing))
            let bytes = FetchMessage.bytes(of: answer)
            // Nobody is left to answer where this fails.
            guard (try? FetchMessage.send(bytes, to: input, until: deadline)) == true else { break }
        }
    }
}
