"""The documents are those of `greenwave --json`, and errors have the command's text."""

import importlib.metadata
import json

import greenwave
import pytest
from conftest import REPOSITORY


@pytest.mark.parametrize(
    "variant, position",
    [
        ("classic-3x3", "R../.Y./..G"),
        ("classic-3x3:play=misere", None),
        ("semaforo", "..../.G../...."),
        ("points-3x3", "R../.Y./..G"),
        ("ampel-4-2-1", None),
        ("strip", None),
        ("noughts-3x3", "X../.O./..."),
        ("bag-classic-2x3", None),
    ],
)
def test_queries_are_those_of_the_command(greenwave_json, variant, position):
    words = [variant] if position is None else [variant, position]
    code, document, _ = greenwave_json("query", *words)
    assert code == 0
    assert greenwave.query(variant, position) == document


def test_moves_budgets_and_lights_are_taken(greenwave_json):
    _, document, _ = greenwave_json("query", "classic-3x3", "--moves", "b2R,b2Y")
    assert greenwave.query("classic-3x3", moves="b2R,b2Y") == document
    assert greenwave.query("classic-3x3", moves=["b2R", "b2Y"], budget="1s") == document
    for budget in (10**6, 1e6):
        assert greenwave.query("classic-3x3", moves="b2R,b2Y", budget=budget) == document
    red_first = greenwave.query("semaforo", "..../.R../....", lights="ryg")
    assert red_first["position"] == "..../.R../...."
    green_first = greenwave.query("semaforo", "..../.G../....")
    assert green_first["position"] == "..../.G../...."
    assert green_first["value"] == red_first["value"]


def test_reasons_are_those_of_the_command(greenwave_json):
    for variant, position in (("classic-3x3", "..G/.R./Y.."), ("ampel-4-2-1", None)):
        words = [variant] if position is None else [variant, position]
        _, document, _ = greenwave_json("query", *words, "--why")
        assert greenwave.explain(variant, position) == document


def test_lines_counts_and_reviews_are_those_of_the_command(greenwave_json):
    assert greenwave.line("classic-3x3") == greenwave_json("line", "classic-3x3")[1]
    assert greenwave.stats("classic-3x3") == greenwave_json("stats", "classic-3x3")[1]
    moves = "b2R a1R a1Y"
    asked = greenwave_json("review", "classic-3x3", "--moves", moves)[1]
    assert greenwave.review("classic-3x3", moves) == asked
    counted = greenwave.perft("classic-3x3", depth=4)
    asked = greenwave_json("perft", "classic-3x3", "--depth", "4")[1]
    del counted["seconds"], asked["seconds"]
    assert counted == asked


def test_claims_are_settled_as_by_the_command(greenwave_json):
    line = "classic-3x3 none: value = draw"
    assert greenwave.check(line) == greenwave_json("check", line)[1]
    assert greenwave.check([1])[0]["claim"] == 1


@pytest.mark.parametrize(
    "ask, words",
    [
        (lambda: greenwave.query("clasic-3x3"), ["query", "clasic-3x3"]),
        (lambda: greenwave.query("classic-3x3", "RX./.."), ["query", "classic-3x3", "RX./.."]),
        (lambda: greenwave.query("classic-3x3", "b2R"), ["query", "classic-3x3", "b2R"]),
        (
            lambda: greenwave.query("classic-3x3", "X../.O./..."),
            ["query", "classic-3x3", "X../.O./..."],
        ),
        (
            lambda: greenwave.line("classic-3x3", moves="b2R b2R"),
            ["line", "classic-3x3", "--moves", "b2R b2R"],
        ),
        (lambda: greenwave.check("no-such-claim"), ["check", "no-such-claim"]),
        (lambda: greenwave.stats("no-such.toml"), ["stats", "no-such.toml"]),
    ],
)
def test_errors_are_the_commands_sentences(greenwave_json, ask, words):
    code, _, said = greenwave_json(*words)
    assert code == 2
    with pytest.raises(ValueError) as error:
        ask()
    assert str(error.value) == json.loads(said)["error"]


def test_wrong_types_are_named():
    for wrong in (
        lambda: greenwave.query(3),
        lambda: greenwave.query("classic-3x3", 3),
        lambda: greenwave.query("classic-3x3", moves=3),
        lambda: greenwave.query("classic-3x3", moves=[3]),
        lambda: greenwave.query("classic-3x3", budget=[]),
        lambda: greenwave.query("classic-3x3", budget=0.3),
        lambda: greenwave.query("classic-3x3", budget=True),
        lambda: greenwave.Tablebase(3),
        lambda: greenwave.Tablebase(memory=[]),
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="expected a time such as 500ms"):
        greenwave.query("classic-3x3", budget="soon")
    with pytest.raises(ValueError, match="expected 'ryg' or 'gyr'"):
        greenwave.query("classic-3x3", lights="blue")


def test_the_version_is_that_of_the_package():
    assert greenwave.__version__ == importlib.metadata.version("greenwave")


def test_a_position_draws_itself():
    position = greenwave.Position("3x3", moves="b2R,a1R")
    assert (position.variant, str(position)) == ("classic-3x3", ".../.R./R..")
    assert position._repr_svg_().startswith("<svg ")
    assert "\u2713 1<" in greenwave.Position("classic-3x3", "RR./.../...").svg(values=True)
    assert position.play("c3") == greenwave.Position("classic-3x3", "..R/.R./R..")
    assert position.play("c3").terminal and not position.terminal
    assert position.moves[0] == "a1Y" and len({position, position.play("c3")}) == 2
    assert position.query()["value"] == "win"
    with pytest.raises(ValueError, match="legal on b2: b2Y"):
        position.play("b2R")


ORDERS = [
    (name, lights)
    for name in ("classic-3x3", "signal-3x3", "points-3x3", "semaforo", "slider", "strip")
    for lights in ("ryg", "gyr")
] + [("noughts-3x3", None), ("ampel-4-2-1", None)]


@pytest.mark.parametrize("name, lights", ORDERS)
def test_what_is_written_is_read(name, lights):
    """Texts of documents and of columns are the same position and move when they are handed back."""
    tables = greenwave.Tablebase("solutions")
    quick = {} if name not in ("semaforo", "slider", "strip") else {"budget": 1}
    start = tables.query(name, lights=lights, **quick)
    assert start["variant"] == name and start["lights"] == lights
    texts = [move["to"] for move in start["moves"][:3]]
    for move in start["moves"][:3]:
        read = tables.query(name, move["to"], lights=lights, **quick)
        assert read["position"] == move["to"]
        played = tables.query(name, moves=move["move"], lights=lights, **quick)
        assert (played["position"], played["value"]) == (move["to"], read["value"])
        # A document states its order, whatever order the caller requests.
        handed = tables.query(name, json.dumps(read), **quick)
        assert handed["value"] == read["value"]
        assert handed["position"].count("Y") == read["position"].count("Y")
    if quick:
        return
    rows = tables.query_many(name, texts, lights=lights).to_arrow().to_pylist()
    assert [row["position"] for row in rows] == texts
    found = tables.find(name, "value = win and moves > 2", "value", lights=lights).to_arrow()
    matches = found["position"].to_pylist()[:50]
    answers = tables.query_many(name, matches, lights=lights).to_arrow()
    assert answers["position"].to_pylist() == matches
    assert set(answers["value"].to_pylist()) <= {"win"}
    for ply in tables.line(name, lights=lights)["plies"][:3]:
        assert tables.query(name, ply["to"], lights=lights)["position"] == ply["to"]


def test_documents_have_the_schemas_of_the_repository():
    jsonschema = pytest.importorskip("jsonschema")
    position = greenwave.Position("classic-3x3", moves="b2R")
    documents = {
        "query": [greenwave.query("classic-3x3"), greenwave.query("bag-classic-2x3"), position.query()],
        "explain": [greenwave.explain("classic-3x3", "..G/.R./Y..")],
        "line": [greenwave.line("points-3x3"), position.line()],
        "stats": [greenwave.stats("classic-3x3"), greenwave.stats("noughts-3x3")],
        "review": [greenwave.review("classic-3x3", "b2R a1R a1Y")],
        "check": greenwave.check("classic-3x3 none: value = draw"),
        "perft": [greenwave.perft("classic-3x3", depth=3)],
        "book": greenwave.book("classic-3x3", depth=1),
    }
    for name, list_of_them in documents.items():
        schema = json.loads((REPOSITORY / "schemas" / f"{name}.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        for document in list_of_them:
            validator.validate(document)
