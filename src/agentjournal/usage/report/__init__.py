"""Figures from the measurement file: shares, work, breaks, costs."""
