"""Pure text: canonical JSON, escaping, bounds, fences, redaction."""
