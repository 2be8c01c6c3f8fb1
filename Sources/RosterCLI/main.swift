// Replaced by the first real entry point.
