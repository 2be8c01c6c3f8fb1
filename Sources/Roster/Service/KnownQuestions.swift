import Bytes
import Database
import HTTP

/// Questions that were understood before, for one event loop: who asks the same as somebody else
/// did, or asks again, has no parameter read and no address written.
///
/// Nothing of a list is kept, and nothing that depends on who asks.
struct KnownQuestions: ~Copyable {
    /// A question that was understood.
    final class Question {
        fileprivate let key: ByteBuffer
        let answer: ListAnswer
        /// What is known of every request that asks it.
        let trace: RequestTrace

        fileprivate init(
            _ key: borrowing ByteBuffer,
            _ answer: ListAnswer,
            _ trace: RequestTrace
        ) {
            var copy = ByteBuffer(minimumCapacity: key.count)
            copy.append(key)
            self.key = copy
            self.answer = answer
            self.trace = trace
        }
    }

    /// What is longer is asked once.
    private static let maximumKeyBytes = 1024
    private var questions = BoundedCache<Int, Question>(capacity: 64)
    private var key = ByteBuffer()
    /// What was found for the head that was asked about last.
    private var found: (head: UInt64?, question: Question?) = (nil, nil)

    /// The question that a request asks, where it was understood before.
    mutating func find(_ request: borrowing HTTPRequest) -> Question? {
        if let head = request.headNumber, head == found.head { return found.question }
        let question = look(for: request)
        found = (request.headNumber, question)
        return question
    }

    private mutating func look(for request: borrowing HTTPRequest) -> Question? {
        guard writeKey(request) else { return nil }
        guard let question = questions.take(key.hashOfProcess()), question.key.isEqual(to: key)
        else { return nil }
        return question
    }

    /// Keeps what a request was understood as.
    mutating func keep(
        _ answer: ListAnswer,
        _ trace: RequestTrace,
        of request: borrowing HTTPRequest
    ) {
        guard answer.isForAll, writeKey(request) else { return }
        found = (nil, nil)
        questions.insert(Question(key, answer, trace.again), for: key.hashOfProcess())
    }

    /// Writes down what a request asks for; false for what is not kept.
    private mutating func writeKey(_ request: borrowing HTTPRequest) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        key.removeAll()
        request.writeTarget(to: &key)
        request.writeNegotiation(to: &key)
        return key.count <= Self.maximumKeyBytes
    }
}

extension HTTPRequest {
    /// Appends the values of the fields that choose among the representations of a page, but its
    /// coding, each behind a mark of its own.
    ///
    /// The base path comes first, because the addresses of the page begin with it.
    borrowing func writeNegotiation(to buffer: inout ByteBuffer) {
        if let external {
            buffer.append(4)
            buffer.append(external.basePath.text)
        }
        buffer.append(0)
        writeValues(of: .accept, to: &buffer)
        buffer.append(1)
        writeValues(of: .acceptLanguage, to: &buffer)
        buffer.append(2)
        writeValues(of: .prefer, to: &buffer)
    }
}
