"""Questions about annotations, one package or module each; nothing is imported before it is asked for.

::

    look            how files would be read, and why
    measure         coefficients with intervals, and which one to quote
    annotators      how far each annotator agrees with the others, where they lean, and who is an outlier
    labels          label by label: agreement, confusions, merges, spellings
    items           agreement item by item
    findings        what makes the number mislead, with evidence
    missingness     whether annotations are missing at random
    advise          why annotators disagree, and what to do first
    advice          causes of disagreement, as a result
    ceiling         how well a model could score at most
    judge           models beside people: a member of the team, errors, rates
    sweep           primary and secondary labels
    consensus       one label for every item
    plan            how many more annotations are needed
    monitor         agreement while annotations come in
    explain         a coefficient worked out step by step
    recommend       which measures suit the data
    interpretation  what a value means
    thresholds      levels and targets from the literature
    difference      whether two agreements differ
"""
