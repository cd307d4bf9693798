"""Many games of bots against bots, played without a hub, and what a designer of games may learn of them.

    plan.py       what to play: settings, seats, levels; bad input becomes one sentence
    playing.py    one game, from its seed to one row
    pool.py       many games on many cores (the only file here with an effect)
    estimates.py  intervals, quantiles, and how much of a spread is explained
    figures.py    rows to figures, and the differences of two settings
    findings.py   the sentences that stand out
    chance.py     the bot that moves by chance
    table.py      rows as CSV
    terminal.py   the figures as text
    charts.py     inline SVG
    report.py     one HTML file
    cards.py      what it says of each subject
    markup.py     pieces of HTML

docs/SIMULATE.md says how it is used and what each figure means. All but `pool` is pure: the same plan gives
the same rows, bytes and pages, on any machine and any number of cores.
"""
