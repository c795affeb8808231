"""Labels one by one.

::

    summary     how often each label is used and agreed on
    confusions  which labels are given in place of which
    merges      what agreement would be if labels were merged
    spellings   labels that differ by spelling alone
"""
