import ListAPI
import Listings
import Rendering
import System

enum TemplateFolder {
    private static let maximumBytes = 64 * 1024
    private static let maximumCount = 1_000

    static func read(
        _ path: String?,
        _ controllers: [RegistrationSummary]
    ) throws(Failure) -> TemplateSet {
        var texts: [String: String] = [:]
        let contents = if let path { try files(path) } else { [:] as [String: [UInt8]] }
        for (name, bytes) in contents {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure(.badData, "\(path ?? "")/\(name): not UTF-8")
            }
            texts[name] = text
        }
        do {
            return try TemplateSet(texts, of: controllers)
        } catch {
            let lines = error.errors.map { "\(path ?? "")/\($0)" }
            throw Failure(.badData, lines.joined(separator: "\n"))
        }
    }

    private static func files(_ path: String) throws(Failure) -> [String: [UInt8]] {
        do {
            return try FolderFiles.read(
                path,
                suffix: ".html",
                maximumBytes: maximumBytes,
                maximumCount: maximumCount
            )
        } catch {
            switch error {
            case .unreadable(let path, let code):
                let reason = SystemError(call: "open", code: code).reason
                throw Failure(.noInput, "--templates: \(path): \(reason)")
            case .fileTooLarge(let path, let limit):
                throw Failure(.badData, "\(path): a template has at most \(limit) bytes")
            case .tooManyFiles(let path, let limit):
                throw Failure(.badData, "\(path): at most \(limit) templates")
            }
        }
    }
}
