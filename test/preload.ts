// Loaded before every test file: the place for matchers of our own.
export {}
