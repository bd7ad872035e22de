"""The rendered memory of an owner: each render strictly extends the last."""
