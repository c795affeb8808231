"""`python -m assent` is the program `assent`."""

from assent.cli import main

if __name__ == "__main__":
    main()
