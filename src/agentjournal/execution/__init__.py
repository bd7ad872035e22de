"""Plans, attempts, steps and handoffs; the bounded reads over them."""
