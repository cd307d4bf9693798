"""Under the Hammer: a small auction by sealed bids, built from docs/ADD_A_GAME.md alone."""
