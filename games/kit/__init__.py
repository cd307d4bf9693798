"""What several games share: sealed choices, trading, peeks, time control, choices, observations."""
