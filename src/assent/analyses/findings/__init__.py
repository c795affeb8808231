"""When the number misleads: findings about the data, each with its evidence, and the tests behind them.

::

    search         every finding about some annotations
    finding        what a finding is, and how its numbers are worded
    pairwise_bias  annotator against annotator: who leans, and in which direction
    weak_labels    labels that are agreed on much less than the rest
    label_sets     findings about annotations with several labels
    symmetry       whether the disagreement of two annotators has a direction
"""
