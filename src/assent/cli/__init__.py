"""The command line: parse, call the public API, print."""

from __future__ import annotations

import gc
import os
import sys

__all__ = ["INTERRUPTS", "main"]

#: Signals of Ctrl+C so far: a module in C whose import is interrupted may end in an error of its own.
INTERRUPTS: list[int] = []

#: So many more objects made than given up, and Python looks for those that only refer to each other. At its own 700 it looks
#: hundreds of times while modules are loaded, and finds nothing.
GARBAGE = 200_000
#: The threads of numpy's matrix library look for work for 2 to the power of so many ticks of the processor, then sleep. At their
#: own 26 each of them is busy for a hundredth of a second, at the start and after every product.
TICKS = "18"
#: What `mallopt` of glibc is told, by the numbers of its options: blocks of up to so many bytes come from the heap (-3), and so much of
#: the heap is kept when it is free (-1). At its own limits what one array gave back the next one is given anew by the system, page
#: by page, and each page is emptied: a twentieth of the time of large tables.
MEMORY = {-3: 1 << 25, -1: 1 << 28}


def main() -> None:
    """Run the command line."""
    gc.set_threshold(GARBAGE)
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", TICKS)
    if os.environ.get("COLUMNS") == "0":
        # A terminal that does not know its width is as wide as usual, not nothing.
        del os.environ["COLUMNS"]
    try:
        _note_interrupts()
        _keep_memory()
        # Python has None for a stream that the caller has closed: it is read as empty, and what is written to it goes nowhere.
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:
                setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        from assent.cli.app import run

        run()
    except SystemExit as end:
        _leave(end.code if isinstance(end.code, int) else 0)
    except BaseException as error:
        # Before the program runs there is nobody else to say it, nor where a module in Rust panics, which is no Exception to Python.
        if not INTERRUPTS and not isinstance(error, KeyboardInterrupt):
            raise
        print("assent: interrupted.", file=sys.stderr)
        _leave(130)


def _note_interrupts() -> None:
    """Have Ctrl+C noted, unless whoever started the program has it ignored."""
    import signal

    def interrupt(number: int, frame: object) -> None:
        INTERRUPTS.append(number)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        _on_interrupt(interrupt)


def _on_interrupt(action: object) -> None:
    """Say what Ctrl+C does; in any thread but the main one there is nothing to say."""
    import signal

    try:
        signal.signal(signal.SIGINT, action)  # type: ignore[arg-type]
    except ValueError:
        return


def _keep_memory() -> None:
    """Have arrays take the place of those that are gone; of other C libraries than glibc nothing is asked."""
    if sys.platform != "linux":
        return
    import ctypes

    tell = getattr(ctypes.CDLL(None), "mallopt", None)
    if tell is not None:
        for option, limit in MEMORY.items():
            tell(option, limit)


def _leave(code: int) -> None:
    """End the process at once: to take the interpreter down piece by piece takes longer than many a measurement."""
    import atexit
    import signal
    import threading

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        # What was asked for is done: from here on Ctrl+C ends the process without a word.
        _on_interrupt(signal.SIG_DFL)
    if threading.active_count() > 1:
        sys.exit(code)
    # Whoever asked to be told that the process ends is told, as Spark is.
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        sys.exit(code)
    os._exit(code)
