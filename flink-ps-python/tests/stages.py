"""Writes src/flink_ps/ml/params.py and algorithms.py from Java's stages: ``bin/options``."""

import inspect
import textwrap
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import flink_ps
from flink_ps.ml.java import FLINK_ML, OURS, Reflection
from flink_ps.ml.stage import LABEL_VALUES, snake
from options import all_of

_FOLDER = Path(__file__).resolve().parents[1] / "src" / "flink_ps" / "ml"
_TYPES = {
    "Integer": "int",
    "Long": "int",
    "Double": "float",
    "Boolean": "bool",
    "String": "str",
    "String[]": "str",
}
_NAMED = {LABEL_VALUES: "str | float"}
_PARAM = OURS + "param."
_PARAMS_HEAD = '''"""Params of stages, made of Java's definitions by ``bin/options``."""

from typing import Self

from flink_ps.ml.stage import Params
'''
_ALGORITHMS_HEAD = '''"""Stages of Flink ML, made of Java's definitions by ``bin/options``."""

from typing import ClassVar

from flink_ps.ml.params import (
{names}
)
from flink_ps.ml.stage import Estimator, Evaluator, Model
'''


class Stages:
    """Java's stages and the interfaces of their params."""

    def __init__(self) -> None:
        self._java = Reflection()
        with zipfile.ZipFile(flink_ps.jar_path()) as jar:
            names = [name.removesuffix(".class") for name in jar.namelist() if ".class" in name]
        folder = OURS.replace(".", "/")
        names = [name.removeprefix(folder) for name in names if name.startswith(folder)]
        self.estimators = sorted(name for name in names if self._is(name, "Estimator"))
        self.models = sorted(name for name in names if self._is(name, "Model"))
        self.evaluators = sorted(
            name for name in names if self._is(name, "AlgoOperator") and name not in self.models
        )
        self.interfaces: dict[str, list[str]] = {}
        for name in (*self.estimators, *self.models, *self.evaluators):
            for interface in self._of_params(name):
                self._add(interface)

    def _is(self, name: str, kind: str) -> bool:
        if "/" in name or "$" in name:
            return False
        found = self._java.type(OURS + name)
        is_abstract = self._java.jvm.java.lang.reflect.Modifier.isAbstract(found.getModifiers())
        return not is_abstract and bool(
            self._java.type(f"{FLINK_ML}api.{kind}").isAssignableFrom(found)
        )

    def _of_params(self, name: str) -> list[Any]:
        """The interfaces of params of a class and those it extends."""
        found, all_of_it = self._java.type(OURS + name), []
        while found is not None:
            all_of_it += self._ours(found)
            found = found.getSuperclass()
        return all_of_it

    def _ours(self, found: Any) -> list[Any]:
        return [each for each in found.getInterfaces() if each.getName().startswith(_PARAM)]

    def _add(self, interface: Any) -> None:
        above = self._ours(interface)
        for each in above:
            self._add(each)
        self.interfaces.setdefault(
            interface.getSimpleName(), [each.getSimpleName() for each in above]
        )

    def bases(self, name: str) -> list[str]:
        """The interfaces of a stage's params."""
        return [each.getSimpleName() for each in self._of_params(name)]

    def params(self, interface: str) -> list[Any]:
        """Those that an interface itself adds."""
        fields = self._java.type(_PARAM + interface).getDeclaredFields()
        return [field.get(None) for field in fields]

    def field(self, param: Any, name: str) -> Any:
        """What a param says of itself."""
        return self._java.type(FLINK_ML + "param.Param").getField(name).get(param)

    def model(self, estimator: str) -> str:
        """The model that an estimator's fit returns."""
        generic = self._java.type(OURS + estimator).getGenericSuperclass()
        return str(generic.getActualTypeArguments()[1].getTypeName()).removeprefix(OURS)


def _docstring(text: str, indent: int) -> str:
    """A docstring whose lines begin at a column, but for the first."""
    lines = textwrap.wrap(f'"""{text}"""', 100 - indent)
    if len(lines) > 1:
        lines = [*textwrap.wrap(f'"""{text}', 100 - indent), '"""']
    return ("\n" + " " * indent).join(lines)


def _methods(stages: Stages, param: Any) -> Iterator[str]:
    name = stages.field(param, "name")
    kind = stages.field(param, "clazz").getSimpleName()
    default = stages.field(param, "defaultValue")
    several = kind == "String[]"
    text = stages.field(param, "description")
    text = text[:1].upper() + text[1:]
    if default is not None and not several:
        text += f" Default: {default}."
    doc = _docstring(text, 8)
    optional = " | None" if default is None else ""
    given = _NAMED.get(name, _TYPES[kind]) if several else f"{_TYPES[kind]}{optional}"
    got = ("list[str]" if several else _TYPES[kind]) + optional
    yield f"\n    def set_{snake(name)}(self, {'*' if several else ''}value: {given}) -> Self:\n"
    yield f"        {doc}\n"
    yield f'        return self._set("{name}", value)\n'
    yield f"\n    def get_{snake(name)}(self) -> {got}:\n"
    yield f"        {doc}\n"
    yield f'        value: {got} = self._get("{name}")\n'
    yield "        return value\n"


def params_source(stages: Stages) -> str:
    """The text of params.py."""
    parts = [_PARAMS_HEAD]
    for name, above in stages.interfaces.items():
        own = stages.params(name)
        names = ", ".join(stages.field(param, "name") for param in own)
        doc = f"With the param ``{names}``." if own else "With the params of all of these."
        parts.append(f'\n\nclass {name}({", ".join(above) or "Params"}):\n    """{doc}"""\n')
        for param in own:
            parts += _methods(stages, param)
    return "".join(parts)


def _doc(name: str) -> str:
    plain = name.removeprefix("Online")
    if plain != name:
        return f"{plain} on tables without end."
    return inspect.cleandoc(getattr(flink_ps, name).__doc__).splitlines()[0]


def _class(stages: Stages, name: str, base: str, doc: str) -> str:
    bases = ", ".join([base, *stages.bases(name)])
    text = _docstring(doc, 4)
    java_name = f'    java_name: ClassVar[str] = "{OURS}{name}"\n'
    return f"\n\nclass {name}({bases}):\n    {text}\n\n{java_name}"


def algorithms_source(stages: Stages) -> str:
    """The text of algorithms.py."""
    names = (*stages.estimators, *stages.models, *stages.evaluators)
    used = {base for name in names for base in stages.bases(name)}
    parts = [_ALGORITHMS_HEAD.format(names="\n".join(f"    {name}," for name in sorted(used)))]
    for name in stages.models:
        of = [each for each in stages.estimators if stages.model(each) == name]
        parts.append(_class(stages, name, "Model", f"The model of {' and '.join(of)}."))
    for name in stages.estimators:
        parts.append(_class(stages, name, f"Estimator[{stages.model(name)}]", _doc(name)))
    for name in stages.evaluators:
        kind = name.removesuffix("Evaluator").lower()
        doc = f"Measures a {kind} of a table that ends: one row of metrics."
        parts.append(_class(stages, name, "Evaluator", doc))
    parts.append(all_of(names))
    return "".join(parts)


def sources() -> dict[Path, str]:
    """The texts of the files, to be formatted."""
    stages = Stages()
    return {
        _FOLDER / "params.py": params_source(stages),
        _FOLDER / "algorithms.py": algorithms_source(stages),
    }


if __name__ == "__main__":
    for file, text in sources().items():
        file.write_text(text)
