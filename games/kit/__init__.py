"""What several games share: sealed choices, offers, peeks, pace, choosing, sights."""
