"""Workers: run one, run a plan, take what they hand off."""
