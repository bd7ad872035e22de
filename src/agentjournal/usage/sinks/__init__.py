"""Where observed calls go: the log, Prometheus, the measurement file, OpenTelemetry."""
