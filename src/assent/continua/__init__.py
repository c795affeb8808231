"""Units on continua as plain arrays: best alignments, continua made by chance, and what measures of spans add up over documents.

Nothing here knows a data set, a measure or a weight: a function takes the units of documents as columns of numbers and returns
numbers for each document.
"""
