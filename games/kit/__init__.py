"""Code shared by several games: sealed choices, trading, peeks, time control, choices, observations."""
