// The API uses types of these modules for models, controllers, events and sources, so
// `import Roster` includes them. Swift has no supported re-export yet; the toolchain's own modules
// use this one.
@_exported public import ListDiff
@_exported public import Listings
@_exported public import MemoryLists
