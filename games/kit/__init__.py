"""What several games share: sealed choices, offers, looks, pace, choosing, sights."""
