"""What a store measured: searches, deliveries, baselines and what users thought of finds."""
