from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assent.documents import Document, Result


@dataclass(frozen=True)
class Legacy(Result):
    content: Any
    advice: Any = ()
    plan: Any = None

    def to_dict(self) -> Any:
        return self.content

    def document(self) -> Document:
        return Document("", [])


def legacy(name: str) -> Any:
    def make(context: Any) -> Any:
        from importlib import import_module
        from types import SimpleNamespace

        where = {"ceiling": "advice", "plan": "advice", "multilabel": "special", "sparse": "special"}.get(name, name)
        found = getattr(import_module(f"assent.reports.sections.{where}"), f"{name}_section")(context)
        if found is None:
            return None
        if name == "multilabel":
            found["findings"] = context.sections["coefficients"].to_dict()["findings"]
        if name == "advice":
            return Legacy(found, advice=[SimpleNamespace(**one) for one in found])
        if name == "plan":
            plan = _ns(found)
            plan.half_width = _ns({"more": found["more"], "half_width": found["half_width"]})
            return Legacy(found, plan=plan)
        return Legacy(found)

    return make


def _ns(x: Any) -> Any:
    from types import SimpleNamespace

    return SimpleNamespace(**{k: _ns(v) if isinstance(v, dict) else v for k, v in x.items()})
