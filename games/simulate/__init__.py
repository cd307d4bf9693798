"""Plays many games between bots without a hub, and reports what interests a game designer.

    plan.py       the games to play: settings, seats, levels; reports bad input in one sentence
    playing.py    plays one game, from its seed to one row
    pool.py       plays many games on many cores (the only module with side effects)
    estimates.py  confidence intervals, quantiles, and explained variance
    figures.py    computes figures from rows, and the differences between two settings
    findings.py   the most notable results as sentences
    chance.py     a bot that plays at random
    table.py      rows as CSV
    terminal.py   figures as text
    charts.py     charts as inline SVG
    report.py     the report as one HTML file
    cards.py      the sections of the report
    markup.py     HTML fragments

docs/SIMULATE.md explains the command and every figure. All modules but `pool` are pure: the same plan gives
the same rows, bytes and pages on any machine and any number of cores.
"""
