import HTTP
import Rendering

extension PageLanguage {
    /// Chooses the language that suits the client of a request best.
    init(for request: borrowing HTTPRequest) {
        self = .english
        guard let field = request.field(.acceptLanguage) else { return }
        let best = Negotiation.best(
            acceptLanguage: field,
            among: PageLanguage.allCases.map(\.rawValue)
        )
        self = PageLanguage(rawValue: best) ?? .english
    }
}
