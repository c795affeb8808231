"""How sure a number is.

Everything here changes the weights of items and looks at what a statistic does. It knows no coefficient:
a statistic is any function from a `Weighting` to values, smooth in the weights.
"""
