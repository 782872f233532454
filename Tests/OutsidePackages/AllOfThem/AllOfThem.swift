// Depends on all of them, so that one build makes them.
