"""Front matter for documents that were written before there was any."""
