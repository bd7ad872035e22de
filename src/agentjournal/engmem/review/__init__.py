"""The measurement after some weeks: which past documents changed a decision, and what that cost."""
