"""The end-to-end tests: real hosts, started headless, against a scripted model on loopback."""
