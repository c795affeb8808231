"""What results are shown with: charts, pages and text escaped for wherever it goes.

::

    charts     one look for every chart, and pictures of it
    pages      HTML files with everything in them
    templates  what the pages are made of
    escape     text of a user made safe for a terminal, Markdown and LaTeX
"""
