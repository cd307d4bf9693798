"""What several games share: sealed choices, offers, pace, choosing."""
