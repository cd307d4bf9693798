"""So Long Sucker with blind allies and blackmail: stacks of chips, gifts of the move, broken promises."""
