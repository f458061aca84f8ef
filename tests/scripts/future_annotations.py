# Annotations that are kept as text.
from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Dict, Optional

module_level: dict[str,int] = {}


@dataclass
class Config:
    width: int = 3
    names: list[str] = field(default_factory=list)
    table: Dict[str,  Optional[int]] = None
    other: "Config | None"=None
    late: NotDefinedYet = None
    pair: tuple[int, ...] = ()


print([(f.name, f.type) for f in fields(Config)])
print(Config.__annotations__ == {f.name: f.type for f in fields(Config)}, __annotations__)


def step(x: torch.Tensor, *rest: int, scale: float=1.0, mode: Literal['a', "b"] = "a", **more: Any) -> tuple[
        int,   # the first
        str]:
    return x


print(step.__annotations__, Config())
