// Models, controllers, events and sources are declared with the types of Listings: whoever writes
// `import Roster` has them. Swift has no supported spelling of a re-export yet; this one is what the
// toolchain's own modules use.
@_exported public import Listings
