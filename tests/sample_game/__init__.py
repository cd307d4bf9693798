"""Under the Hammer: a small sealed-bid auction, built from docs/ADD_A_GAME.md alone."""
