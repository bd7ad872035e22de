"""Was this tried? Claims from every source."""
