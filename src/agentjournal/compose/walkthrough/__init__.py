"""Demonstrations to follow by hand: two sessions of real agent programs that share one small memory."""
