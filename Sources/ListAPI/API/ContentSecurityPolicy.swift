import HTTP
import Rendering

/// The policy of pages: they load nothing from other hosts but images of the hosts that a list names.
enum ContentSecurityPolicy {
    static func add(to response: inout HTTPResponse) {
        response.addField(.contentSecurityPolicy, own)
        response.addField(.referrerPolicy, "same-origin" as StaticString)
    }

    private static let own = text(.empty)

    static func text(_ images: ImageHosts) -> String {
        """
        default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
        img-src 'self'\(images.policy); form-action 'self'; base-uri 'none'; frame-ancestors 'none'
        """
    }
}
