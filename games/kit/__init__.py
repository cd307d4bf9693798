"""What several games share: sealed choices, pace, choosing."""
