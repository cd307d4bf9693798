"""So Long Sucker, with blind allies and blackmail."""
