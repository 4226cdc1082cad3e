"""Writes options.py and algorithms.py of src/flink_ps from Java's definitions: ``bin/options``."""

import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pyflink.datastream import StreamExecutionEnvironment
from pyflink.java_gateway import get_gateway

from flink_ps import add_to

_FOLDER = Path(__file__).resolve().parents[1] / "src" / "flink_ps"
_WIDTH = 92
_KINDS = {"WHOLE_NUMBER": "int", "NUMBER": "float", "TEXT": "str", "FLAG": "bool"}
_CLASSES = {
    "java.lang.Integer": "int",
    "java.lang.Long": "int",
    "java.lang.Float": "float",
    "java.lang.Double": "float",
    "java.lang.Boolean": "bool",
    "java.time.Duration": "Duration",
}
_HEAD = '''"""Options of models by algorithm, made of Java's definitions by ``bin/options``."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Annotated, TypedDict

Names = Sequence[str]
"""Several texts."""

Duration = str | timedelta
"""Such as ``"10 s"``."""
'''
_ALGORITHMS_HEAD = '''"""Algorithms for PyFlink, by SQL beneath: made by ``bin/options``.

An algorithm with its options trains a table of PyFlink into a model, a table of a catalog
(:func:`flink_ps.register_catalog`), by ``INSERT``; the model scores tables by ``PS_PREDICT``. What
the algorithms are for stands in docs/models.md of the project.
"""

from typing import ClassVar, Unpack

from flink_ps import options
from flink_ps.estimator import Algorithm
'''
_ALGORITHM = '''

class {name}(Algorithm):
    """{doc}."""

    name: ClassVar[str] = "{algorithm}"
    options_of: ClassVar[type] = options.{name}Options

    def __init__(self, **given: Unpack[options.{name}Options]) -> None:
        super().__init__(given)
'''
Option = tuple[str, str, str]


class Java:
    """Static methods and fields of our classes, which only the job's class loader sees."""

    def __init__(self) -> None:
        add_to(StreamExecutionEnvironment.get_execution_environment())
        self._gateway = get_gateway()
        self._lang = self._gateway.jvm.java.lang
        self._loader = self._lang.Thread.currentThread().getContextClassLoader()

    def _array(self, of: Any, items: tuple[Any, ...]) -> Any:
        array = self._gateway.new_array(of, len(items))
        for place, item in enumerate(items):
            array[place] = item
        return array

    def call(self, name: str, method: str, *texts: str) -> Any:
        """A static method that takes texts."""
        text = self._lang.Class.forName("java.lang.String")
        types = self._array(self._lang.Class, (text,) * len(texts))
        found = self._loader.loadClass(f"io.github.flinkps.{name}").getMethod(method, types)
        return found.invoke(None, self._array(self._lang.Object, texts))

    def of_interface(self, name: str, method: str, argument: Any) -> Any:
        """A static method that takes one argument."""
        declaring = self._loader.loadClass(f"io.github.flinkps.{name}")
        (found,) = [
            each
            for each in declaring.getMethods()
            if each.getName() == method and each.getParameterCount() == 1
        ]
        return found.invoke(None, self._array(self._lang.Object, (argument,)))

    def field(self, name: str, field: str) -> Any:
        """A static field."""
        found = self._loader.loadClass(f"io.github.flinkps.{name}").getDeclaredField(field)
        found.setAccessible(True)
        return found.get(None)

    def hidden(self, target: Any, method: str) -> Any:
        """What a method without arguments says that is not public."""
        nothing = self._array(self._lang.Class, ())
        found = target.getClass().getDeclaredMethod(method, nothing)
        found.setAccessible(True)
        return found.invoke(target, self._array(self._lang.Object, ()))

    def description(self, option: Any) -> str:
        """Of an option of Flink's kind."""
        description = self._gateway.jvm.org.apache.flink.configuration.description
        return str(description.HtmlFormatter().format(option.description()))


def class_name(algorithm: str) -> str:
    """Of its builder."""
    return "".join(part.capitalize() for part in algorithm.split("-"))


def _configured(java: Java, field: str) -> list[Option]:
    found = []
    for option in java.field("flink.table.ModelOptions", field):
        kind = _CLASSES.get(java.hidden(option, "getClazz").getName(), "str")
        if java.hidden(option, "isList"):
            kind = "Names"
        text = java.description(option).replace(", separated by semicolons", "")
        found.append((option.key(), kind, text))
    return [option for option in found if option[0] != "algorithm"]


def _of_optimizers(java: Java) -> list[Option]:
    functions = "server.update.UpdateFunctions"
    factories = java.call(functions, "optimizers")
    meanings: dict[str, dict[str, list[str]]] = {}
    for name in factories:
        for option in java.of_interface(functions, "options", factories[name]):
            of = meanings.setdefault(option.name(), {})
            of.setdefault(option.description(), []).append(name)
    found = [("optimizer", "str", f"What steps: {', '.join(factories)} or one of your own.")]
    for option, of in sorted(meanings.items()):
        texts = [f"{_sentence(text)}: {', '.join(names)}." for text, names in of.items()]
        found.append((option, "float", " ".join(texts)))
    return found


def _sentence(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]


def _own(java: Java, algorithm: str) -> list[Option]:
    models = "flink.algorithm.TrainingModels"
    return [
        (
            option.name(),
            _KINDS[str(option.type().toString())],
            f"{_sentence(option.description())}; default: {option.defaultValue()}.",
        )
        for option in java.call(models, "factory", algorithm).columnOptions()
    ]


def algorithms(java: Java) -> list[str]:
    """The names of all."""
    return sorted(java.call("flink.algorithm.TrainingModels", "names"))


def _class(name: str, bases: str, doc: str, options: list[Option]) -> Iterator[str]:
    yield f'\n\nclass {name}({bases}, total=False):\n    """{doc}"""\n'
    for key, kind, text in options:
        quoted = [
            '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'
            for line in textwrap.wrap(text, _WIDTH - 8, drop_whitespace=False)
        ]
        name = key.replace("-", "_")
        one = f"\n    {name}: Annotated[{kind}, {quoted[0]}]"
        if len(quoted) == 1 and len(one) <= _WIDTH:
            yield one
        else:
            lines = "\n        ".join(quoted)
            yield f"\n    {name}: Annotated[\n        {kind},\n        {lines},\n    ]"


def _options_source(java: Java) -> str:
    rows = _configured(java, "OF_ROWS")
    scaled = ("numeric-columns", "Mapping[str, str]", "As numeric, of columns by their names.")
    parts = [_HEAD]
    parts += _class("RowOptions", "TypedDict", "What a row means.", [*rows, scaled])
    parts += _class("OptimizerOptions", "TypedDict", "How it learns.", _of_optimizers(java))
    jobs = _configured(java, "OF_JOBS")
    parts += _class("JobOptions", "TypedDict", "Of the job that trains.", jobs)
    bases = "RowOptions, OptimizerOptions, JobOptions"
    for algorithm in algorithms(java):
        own = _own(java, algorithm)
        parts += _class(f"{class_name(algorithm)}Options", bases, f"Of {algorithm}.", own)
    return "".join(parts) + "\n"


def all_of(names: Iterable[str]) -> str:
    """What names everything of a module."""
    return "\n\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names)) + "]\n"


def _algorithms_source(java: Java) -> str:
    names = algorithms(java)
    parts = [_ALGORITHMS_HEAD]
    for algorithm in names:
        factory = java.call("flink.algorithm.TrainingModels", "factory", algorithm)
        doc = _sentence(factory.description())
        parts.append(_ALGORITHM.format(name=class_name(algorithm), doc=doc, algorithm=algorithm))
    parts.append(all_of([class_name(algorithm) for algorithm in names]))
    return "".join(parts)


def sources() -> dict[Path, str]:
    """The texts of the files, to be formatted."""
    java = Java()
    return {
        _FOLDER / "options.py": _options_source(java),
        _FOLDER / "algorithms.py": _algorithms_source(java),
    }


if __name__ == "__main__":
    for file, text in sources().items():
        file.write_text(text)
