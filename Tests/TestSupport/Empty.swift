// Replaced by the first real helper.
