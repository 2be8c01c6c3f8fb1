import Remote
import Sockets

// Answers the requests that come in on standard input, one after another, until it ends.
let input = Descriptor(adopting: 0)
if let session = CurlSession() {
    // Who started this program keeps the time; while nothing is asked there is none to keep.
    let deadline = ContinuousClock.now + .seconds(1 << 30)
    while let message = try? FetchMessage.receive(from: input, until: deadline),
        let request = FetchMessage.request(message)
    {
        let answer = FetchMessage.bytes(of: session.answer(to: request))
        // Nobody is left to answer where this fails.
        guard (try? FetchMessage.send(answer, to: input, until: deadline)) == true else { break }
    }
}
