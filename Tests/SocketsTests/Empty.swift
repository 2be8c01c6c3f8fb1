// Replaced by the first real suite of this target.
