"""The stubs say what the module has, with the same words."""

import ast
import inspect
import pathlib

import greenwave
from greenwave import _native

STUB = ast.parse((pathlib.Path(greenwave.__file__).parent / "_native.pyi").read_text())


def described():
    """Name, object and stub of each function, class and method."""
    for node in STUB.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            thing = getattr(_native, node.name)
            yield node.name, thing, node
            for part in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(part, ast.FunctionDef):
                    yield f"{node.name}.{part.name}", getattr(thing, part.name), part


def test_everything_has_a_stub():
    stubbed = {name for name, _, _ in described()}
    public = {name for name in vars(_native) if not name.startswith("_")}
    assert public <= stubbed and set(greenwave.__all__) == public
    for name in ("Tablebase", "Table", "Position"):
        members = {member for member in vars(getattr(_native, name)) if not member.startswith("__")}
        assert members <= {full.split(".")[-1] for full in stubbed}


def test_stubs_and_help_say_the_same():
    for name, thing, node in described():
        said = ast.get_docstring(node)
        if said is not None:
            assert inspect.getdoc(thing) == inspect.cleandoc(said), name


def test_stubs_have_the_parameters():
    for name, thing, node in described():
        if isinstance(node, ast.FunctionDef) and not node.decorator_list and "__" not in name:
            arguments = node.args.args + node.args.kwonlyargs
            expected = [argument.arg for argument in arguments]
            assert list(inspect.signature(thing).parameters) == expected, name


def test_the_package_is_marked_as_typed():
    assert (pathlib.Path(greenwave.__file__).parent / "py.typed").is_file()
