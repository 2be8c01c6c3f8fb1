import HTTP

extension HTTPConnectionMachine {
    var isIdle: Bool { false }
    var finalAnswers: Int { 0 }
}
