"""Small wrong changes of a module: each is one place of its syntax tree, done to the module as it is imported."""

from __future__ import annotations

import ast
import gc
import importlib.abc
import importlib.machinery
import inspect
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tests.mutation.reached import digest

__all__ = ["Mutant", "assigning", "importing", "live_functions", "mutants_of", "replacing"]

#: Where a function is written: its file, its first line, its name.
_Place = tuple[str, int, str]

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum",
           "argmin": "argmax", "argmax": "argmin", "floor": "ceil", "ceil": "floor"}  # fmt: skip

#: Arguments that guard against mistakes of programmers: without them a right program does the same.
_GUARDS = {"strict", "frozen", "eq", "slots", "kw_only", "stacklevel"}

NEW = "\n"


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, and what it does."""

    module: str
    path: Path
    place: int
    line: int
    what: str
    #: The line as it is written.
    text: str = field(default="", repr=False)
    #: The module as it was when changes were looked for: it may be edited while they are tried.
    source: str = field(default="", repr=False, compare=False)
    #: Lines from those of the change to all of the module: those of each statement around it.
    around: tuple[range, ...] = field(default=(), repr=False)

    @cached_property
    def function(self) -> str:
        """A digest of the function, class or statement of the module in which it is."""
        lines = self.source.splitlines()
        outermost = self.around[-2] if len(self.around) > 2 else self.around[-1]
        return digest("\n".join(lines[outermost.start - 1 : outermost.stop - 1]))

    @property
    def name(self) -> str:
        """The name to ask for it."""
        return f"{self.module}:{self.line}:{self.place}"

    def tree(self) -> ast.Module:
        """Return the module with the change."""
        tree = ast.parse(self.source, str(self.path))
        _, change = list(_changes(tree))[self.place]
        change()
        return ast.fix_missing_locations(tree)

    def code(self) -> CodeType:
        """Return the same compiled."""
        return compile(self.tree(), str(self.path), "exec", dont_inherit=True)


def mutants_of(path: Path, module: str) -> list[Mutant]:
    """Return every change of a module that this knows to make."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    statements = [
        range(one.lineno, (one.end_lineno or one.lineno) + 1) for one in ast.walk(tree) if isinstance(one, ast.stmt)
    ]
    statements = [*sorted(statements, key=len), range(1, len(source.splitlines()) + 1)]
    # What a decorator changes is seen by tests that come to what it decorates.
    decorated = [
        (
            range(one.decorator_list[0].lineno, one.lineno),
            range(one.decorator_list[0].lineno, (one.end_lineno or 0) + 1),
        )
        for one in ast.walk(tree)
        if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.decorator_list
    ]
    return [
        Mutant(
            module,
            path,
            place,
            node.lineno,
            _told(node, change),
            source.splitlines()[node.lineno - 1].strip(),
            source,
            (
                # A refusal that is left out is missed by those alone who would have been refused.
                *(
                    (range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1),)
                    if isinstance(node, ast.If)
                    else ()
                ),
                range(node.lineno, node.lineno + 1),
                *(whole for above, whole in decorated if node.lineno in above),
                *(lines for lines in statements if node.lineno in lines),
            ),
        )
        for place, (node, change) in enumerate(list(_changes(tree)))
    ]


def live_functions(files: Collection[str]) -> dict[_Place, list[FunctionType]]:
    """Return the functions of these files that exist now, by where they are written."""
    found: dict[_Place, list[FunctionType]] = {}
    # What was frozen is not among the objects that are returned.
    gc.unfreeze()
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename in files:
            found.setdefault(_place(one.__code__), []).append(one)
    return found


def replacing(live: Mapping[_Place, Sequence[FunctionType]], old: CodeType, new: CodeType) -> bool:
    """Have functions of a module run what is compiled from another text, and return whether nothing else is different.

    What is different in the module itself or in the body of a class is only run by an import.
    """
    if old.co_flags & inspect.CO_OPTIMIZED:
        if old != new:
            for one in live.get(_place(old), ()):
                if one.__code__ == old:
                    one.__code__ = new
    elif _without_functions(old) != _without_functions(new):
        return False
    inside = [[one for one in code.co_consts if isinstance(one, CodeType)] for code in (old, new)]
    return all(replacing(live, *both) for both in zip(*inside, strict=True))


def assigning(mutant: Mutant, package: str) -> bool:
    """Change a constant of a module, and what is made of it there, wherever it was imported; return whether it is one.

    What a function or a class takes from it as it is made, such as a default, is only made by an import.
    """
    tree = mutant.tree()
    at = next((n for n, one in enumerate(tree.body) if one.lineno <= mutant.line <= (one.end_lineno or 0)), -1)
    wanted = _assigned(tree.body[at]) if at >= 0 else set()
    if not wanted:
        return False
    if any(wanted & _taken(one) for one in tree.body):
        return False
    names = vars(sys.modules[mutant.module])
    before = dict(names)
    for one in tree.body:
        if _assigned(one) & wanted or (_assigned(one) and wanted & _names(one)):
            wanted |= _assigned(one)
            exec(compile(ast.Module([one], []), str(mutant.path), "exec"), names)
    for name in wanted & set(before):
        for module in [one for key, one in sys.modules.items() if key.startswith(package)]:
            if vars(module).get(name) is before[name]:
                setattr(module, name, names[name])
    return True


def _assigned(statement: ast.stmt) -> set[str]:
    """Return the names that a statement gives values to, if it does nothing else."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign) or statement.value is None:
        return set()
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}


def _taken(statement: ast.AST) -> set[str]:
    """Return the names that a function or a class takes as it is made: in decorators, in defaults and in the body of a class."""
    if isinstance(statement, ast.FunctionDef):
        return _names(*statement.decorator_list, statement.args)
    if not isinstance(statement, ast.ClassDef):
        return set()
    inside = [one for one in statement.body if not isinstance(one, ast.FunctionDef)]
    return _names(*statement.decorator_list, *inside).union(*map(_taken, statement.body))


def _names(*nodes: ast.AST) -> set[str]:
    return {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}


def _place(code: CodeType) -> _Place:
    return code.co_filename, code.co_firstlineno, code.co_qualname


def _without_functions(code: CodeType) -> CodeType:
    return code.replace(co_consts=tuple(one for one in code.co_consts if not isinstance(one, CodeType)))


def importing(mutant: Mutant) -> None:
    """Have the module imported with its change from now on; it must not have been imported before."""
    assert mutant.module not in sys.modules

    class Changed(importlib.machinery.SourceFileLoader):
        def get_code(self, fullname: str) -> CodeType:
            return mutant.code()

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(
            self, fullname: str, path: Any = None, target: ModuleType | None = None
        ) -> importlib.machinery.ModuleSpec | None:
            if fullname != mutant.module:
                return None
            return importlib.machinery.ModuleSpec(
                fullname,
                Changed(fullname, str(mutant.path)),
                origin=str(mutant.path),
                is_package=mutant.path.stem == "__init__",
            )

    sys.meta_path.insert(0, Finder())


def _told(node: Any, change: Callable[[], None]) -> str:
    """Say what a change does to its line: the part of the source before and after it."""
    before = ast.unparse(node)
    change()
    after = ast.unparse(ast.fix_missing_locations(node))
    change()
    return f"{before.partition(NEW)[0]} → {after.partition(NEW)[0]}"


def _changes(tree: ast.Module) -> Iterator[tuple[Any, Callable[[], None]]]:
    """Yield the nodes that can be changed, in one order, with what changes them."""
    for node in _looked_at(tree):
        if isinstance(node, ast.Compare):
            for place, one in enumerate(node.ops):
                if type(one) in _COMPARED:
                    yield node, _swapping(node.ops, place, _COMPARED[type(one)]())
        elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _COMPUTED:
            yield node, _swapping(node, "op", _COMPUTED[type(node.op)]())
        elif isinstance(node, ast.BoolOp):
            yield node, _swapping(node, "op", ast.And() if isinstance(node.op, ast.Or) else ast.Or())
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            undone = ast.UnaryOp(ast.Not(), node.operand)
            yield (
                node,
                _swapping(node, "operand", undone)
                if isinstance(node.op, ast.Not)
                else _swapping(node, "op", ast.UAdd()),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield node, _swapping(node, "value", not node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            yield node, _swapping(node, "value", node.value + 1)
        elif isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id in _CALLED:
                yield node, _swapping(called, "id", _CALLED[called.id])
            elif isinstance(called, ast.Attribute) and called.attr in _CALLED:
                yield node, _swapping(called, "attr", _CALLED[called.attr])
        elif isinstance(node, ast.If) and any(isinstance(one, ast.Raise) for one in node.body):
            # A refusal that is left out.
            yield node, _swapping(node, "test", ast.copy_location(ast.Constant(False), node.test))


def _swapping(where: Any, key: str | int, value: Any) -> Callable[[], None]:
    """Return what puts a value in its place, and when it is called again the old one."""
    kept = [value]

    def swap() -> None:
        if isinstance(key, int):
            where[key], kept[0] = kept[0], where[key]
        else:
            old = getattr(where, key)
            setattr(where, key, kept[0])
            kept[0] = old

    return swap


def _looked_at(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield nodes from top to bottom, but neither annotations nor what is not run."""
    yield tree
    for part, value in ast.iter_fields(tree):
        if part in ("annotation", "returns", "type_params"):
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.If) and "TYPE_CHECKING" in ast.unparse(one.test):
                continue
            if isinstance(one, ast.keyword) and one.arg in _GUARDS:
                continue
            if isinstance(one, ast.AST):
                yield from _looked_at(one)
