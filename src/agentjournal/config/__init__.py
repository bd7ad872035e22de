"""Settings: where each value comes from, and what a project file may say."""
