// Loaded into a program with LD_PRELOAD; it has no functions to call.
