import ListAPI
import Listings
import Locks
import Rendering
import System

/// The reload of the files that settings name, while the program serves.
///
/// Each part is read separately. An invalid part is logged and the former one stays in force. Each
/// change is logged in a line of its own.
final class Reloading: Sendable {
    typealias ReadConfiguration = @Sendable () throws(Failure) -> Configuration

    private static let maximumLines = 20

    private let reloads: ReloadState
    private let configuration: Locked<Configuration>
    private let readConfiguration: ReadConfiguration
    private let contents: ServiceContents

    init(
        _ reloads: ReloadState,
        _ configuration: Configuration,
        _ contents: ServiceContents,
        _ readConfiguration: @escaping ReadConfiguration
    ) {
        self.reloads = reloads
        self.configuration = Locked(configuration)
        self.contents = contents
        self.readConfiguration = readConfiguration
    }

    func reload() {
        configuration.withLock { configuration in
            var state = reloads.current
            // The settings whose parts remain as they were, because the new ones are invalid.
            var refused: [String] = []
            var isChanged = takeSettings(&configuration, &state, &refused)
            if takeTemplates(configuration, &state, &refused) { isChanged = true }
            if takeAssets(configuration, &state, &refused) { isChanged = true }
            if takeSecrets(configuration, &state, &refused) { isChanged = true }
            if isChanged { reloads.publish(state) }
            if state.options.access?.reload() == false { refused.append("--tokens") }
            state.options.lists?.refresh(isForced: true)
            guard !refused.isEmpty else { return Diagnostics.write("reloaded") }
            Diagnostics.write("reloaded, except \(refused.joined(separator: ", "))", .error)
        }
    }

    /// Adopts the settings that can change at run time, and logs those that cannot.
    private func takeSettings(
        _ configuration: inout Configuration,
        _ state: inout ReloadState.State,
        _ refused: inout [String]
    ) -> Bool {
        let read: Configuration
        do throws(Failure) { read = try readConfiguration() } catch {
            Diagnostics.write("--config: \(error.text); the old settings stay in use")
            refused.append("--config")
            return false
        }
        let former = configuration
        for setting in Setting.all where former.given[setting] != read.given[setting] {
            let isTaken = setting.reload(&configuration, from: read)
            let values = [former, read].map { $0.given[setting] ?? setting.standard }
            let isHidden = setting.isSecret || setting.has(.hidden)
            let change = isHidden ? "" : ": \(values[0]) → \(values[1])"
            let note = isTaken ? "" : "; needs a restart"
            Diagnostics.write("--config: \(setting.name)\(change)\(note)")
        }
        guard configuration != former else { return false }
        state.options.take(configuration)
        state.middleware.take(configuration)
        return true
    }

    private func takeTemplates(
        _ configuration: Configuration,
        _ state: inout ReloadState.State,
        _ refused: inout [String]
    ) -> Bool {
        let former = state.options.templates
        do throws(Failure) { try state.options.readTemplates(configuration, contents) } catch {
            for line in error.text.split(separator: "\n") {
                Diagnostics.write("--templates: \(line)")
            }
            Diagnostics.write("--templates: the old templates stay in use")
            refused.append("--templates")
            return false
        }
        return log(
            "--templates",
            from: Self.texts(of: former),
            to: Self.texts(of: state.options.templates)
        )
    }

    private static func texts(of templates: TemplateSet) -> [String: String] {
        // Names and texts alternate.
        let files = templates.files
        return stride(from: 0, to: files.count, by: 2).reduce(into: [:]) { texts, index in
            texts[files[index]] = files[index + 1]
        }
    }

    private func takeAssets(
        _ configuration: Configuration,
        _ state: inout ReloadState.State,
        _ refused: inout [String]
    ) -> Bool {
        let assets: AssetLibrary
        do throws(Failure) { assets = try configuration.assets() } catch {
            Diagnostics.write("\(error.text); the old files stay in use")
            // The text begins with the setting.
            refused.append(String(error.text.prefix { $0 != ":" }))
            return false
        }
        let isChanged =
            log("--public", from: state.assets.hashes, to: assets.hashes)
            || state.assets.frame != assets.frame
        if isChanged { state.assets = assets }
        return isChanged
    }

    private func takeSecrets(
        _ configuration: Configuration,
        _ state: inout ReloadState.State,
        _ refused: inout [String]
    ) -> Bool {
        let keys: CursorKeys
        do throws(Failure) { keys = try CursorSecrets.keys(configuration) } catch {
            Diagnostics.write("--cursor-secret-file: \(error.text); the old secrets stay in use")
            refused.append("--cursor-secret-file")
            return false
        }
        guard keys != state.options.cursorKeys else { return false }
        state.options.cursorKeys = keys
        Diagnostics.write("--cursor-secret-file: other secrets sign cursors")
        return true
    }

    /// Logs the changed files of a folder; false without changes.
    private func log(
        _ flag: String,
        from old: [String: String],
        to new: [String: String]
    ) -> Bool {
        let lines = Set(old.keys).union(new.keys).sorted().compactMap { name -> String? in
            guard old[name] != new[name] else { return nil }
            guard old[name] != nil else { return "\(name) is new" }
            return new[name] == nil ? "\(name) is gone" : "\(name) has changed"
        }
        for line in lines.prefix(Self.maximumLines) { Diagnostics.write("\(flag): \(line)") }
        let rest = lines.count - Self.maximumLines
        if rest > 0 { Diagnostics.write("\(flag): \(rest) more files have changed") }
        return !lines.isEmpty
    }
}

extension Configuration {
    func assets() throws(Failure) -> AssetLibrary {
        let files =
            if let publicFolder { try AssetLibrary(folder: publicFolder) } else {
                AssetLibrary()
            }
        return try files.framed(by: try pages.frame())
    }
}

extension ServiceOptions {
    mutating func readTemplates(
        _ configuration: Configuration,
        _ contents: ServiceContents
    ) throws(Failure) {
        templates = try TemplateFolder.read(configuration.templates, contents.controllers)
        rowControllers = templates.listing(of: contents.controllers)
    }

    mutating func take(_ configuration: Configuration) {
        isStrict = configuration.refusesFailedRows
        formulas = configuration.neutralisesFormulas ? .neutralised : .kept
        writing = configuration.writing
        crossOrigin = configuration.crossOrigin
        imageHosts = configuration.imageHosts.union(configuration.pages.declared.imageHosts)
        readingTimes = configuration.limits.readingTimes
        limitsRate = configuration.rateLimit != nil
        let loops = configuration.loops ?? Processors.usableCount
        pageCacheBytes = configuration.pageCacheMegabytes * 1_048_576 / loops
    }
}

extension Middleware.Settings {
    mutating func take(_ configuration: Configuration) {
        crossOrigin = configuration.crossOrigin
        notesAnswers = configuration.logsAccess
        if configuration.rateLimit != rateLimits?.perSecond {
            rateLimits = configuration.rateLimit.map { RateLimits(perSecond: $0) }
        }
        trustedProxies = configuration.trustedProxies
        basePath = configuration.basePath
        if let hosts = configuration.allowedHosts { allowedHosts = hosts }
    }
}
