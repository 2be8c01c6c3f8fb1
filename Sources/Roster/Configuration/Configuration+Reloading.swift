import ListAPI
import Rendering
import System

/// Settings that a running program can adopt.
extension Configuration {
    /// Adopts a setting of another configuration.
    ///
    /// - Returns: Whether that is possible without a restart.
    mutating func take(_ key: Option.Key, from other: Configuration) -> Bool {
        switch key {
        case .templates: templates = other.templates
        case .publicFolder: publicFolder = other.publicFolder
        case .rowErrors: refusesFailedRows = other.refusesFailedRows
        case .csvFormulas: neutralisesFormulas = other.neutralisesFormulas
        case .crossOrigin: crossOrigin = other.crossOrigin
        case .pageCache: pageCacheMegabytes = other.pageCacheMegabytes
        case .requireIfMatch: requiresIfMatch = other.requiresIfMatch
        case .cursorSecretFile: cursorSecretFile = other.cursorSecretFile
        case .rowsTime: limits.readingTimes.rows = other.limits.readingTimes.rows
        case .countsTime: limits.readingTimes.counts = other.limits.readingTimes.counts
        case .facetsTime: limits.readingTimes.facets = other.limits.readingTimes.facets
        case .allowedHosts where allowedHosts != nil && other.allowedHosts != nil:
            // The operations port uses the hosts of the start.
            guard operationsPort == nil else { return false }
            allowedHosts = other.allowedHosts
        // The server decides at the start whether it reads client addresses.
        case .rateLimit where identifiesClients: rateLimit = other.rateLimit
        case .trustProxy where identifiesClients: trustedProxies = other.trustedProxies
        default: return false
        }
        given[key] = other.given[key]
        return true
    }

    /// Whether clients are distinguished by their addresses.
    var identifiesClients: Bool { rateLimit != nil || !trustedProxies.isEmpty }
}

extension ServiceOptions {
    /// Adopts the settings of a service, except the contents of files.
    mutating func take(_ configuration: Configuration) {
        isStrict = configuration.refusesFailedRows
        formulas = configuration.neutralisesFormulas ? .neutralised : .kept
        writing = configuration.writing
        crossOrigin = configuration.crossOrigin
        readingTimes = configuration.limits.readingTimes
        limitsRate = configuration.rateLimit != nil
        let loops = configuration.loops ?? Processors.usableCount
        pageCacheBytes = configuration.pageCacheMegabytes * 1_048_576 / loops
    }
}

extension Middleware.Settings {
    /// Adopts the settings of a gateway.
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
