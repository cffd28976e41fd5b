"""Loading plugins: whoever is broken is named and left out, whoever works is there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, distributions
from pathlib import Path

import pytest

from hfa_core.errors import UnknownBackendError, UnknownHostError
from hfa_core.hosts.adapter import HostAdapter
from hfa_core.plugins import hookspecs
from hfa_core.plugins.manager import Plugins, find_backend, find_host, load_hosts, load_plugins

ROOT = Path(__file__).resolve().parents[4]
WORKS = """
from hfa_core.hosts.adapter import UnsupportedAdapter
from hfa_core.plugins import hookimpl
@hookimpl
def hfa_register_host():
    return {answer}
"""
ONE = WORKS.format(answer='UnsupportedAdapter("one", "One")')


class Site:
    """A folder of installed packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.modules: list[str] = []

    def add(self, name: str, source: str) -> None:
        module = f"hfa_test_plugin_{name}"
        info = self.folder / f"dist_{name}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: dist-{name}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[hfa]\n{name} = {module}\n")
        (self.folder / f"{module}.py").write_text(source)
        self.modules.append(module)

    def points(self) -> list[EntryPoint]:
        found = distributions(path=[str(self.folder)])
        return [point for distribution in found for point in distribution.entry_points]

    def load(self, only: str | None = None) -> Plugins:
        return load_plugins(only, self.points())


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    made = Site(tmp_path)
    yield made
    for module in made.modules:
        sys.modules.pop(module, None)


def test_a_plugin_that_works_is_loaded_with_its_distribution_and_version(site: Site) -> None:
    site.add("works", ONE)
    plugins = site.load()

    assert isinstance(plugins.hosts["one"], HostAdapter)
    assert [(one.name, one.distribution, one.version, one.hosts) for one in plugins.loaded] == [
        ("works", "dist-works", "1.2", ("one",))
    ]
    assert plugins.findings == ()


def test_a_plugin_may_register_several_hosts_and_they_come_sorted(site: Site) -> None:
    site.add("many", WORKS.format(answer='[UnsupportedAdapter("b", "B"), UnsupportedAdapter("a", "A")]'))

    assert list(site.load().hosts) == ["a", "b"]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import hfa_no_such_module", "ModuleNotFoundError: No module named 'hfa_no_such_module'"),
        ("def broken(:", "SyntaxError"),
        ("raise SystemExit(2)", "SystemExit: 2"),
        (WORKS.format(answer="1 / 0"), "ZeroDivisionError"),
        (WORKS.format(answer="'no adapter'"), "is no HostAdapter"),
        (WORKS.format(answer="[None]"), "None is no HostAdapter"),
        (ONE.replace("hfa_register_host", "hfa_register_hots"), "unknown hook 'hfa_register_hots'"),
        (ONE.replace("host()", "host(place)"), "PluginValidationError"),
    ],
)
def test_a_broken_plugin_is_named_by_its_distribution_and_the_others_work(site: Site, source: str, reason: str) -> None:
    site.add("bad", source)
    site.add("works", ONE)
    plugins = site.load()

    assert list(plugins.hosts) == ["one"]
    assert [one.name for one in plugins.loaded] == ["works"]
    (finding,) = plugins.findings
    assert finding.code == "plugin_broken"
    assert "dist-bad" in finding.text
    assert reason in finding.text
    assert "dist-bad" in finding.fix


OFFERS = """
from hfa_core.plugins import hookimpl

class Backend:
    name = "{name}"
    def find(self, memory, text, limit):
        return []

class Model:
    name = "{name}"
    def answer(self, order, *, limit_s):
        return ""

@hookimpl
def hfa_register_index_backend():
    return {backend}

@hookimpl
def hfa_register_maintenance_model():
    return Model()
"""


def test_a_plugin_may_offer_a_search_engine_and_a_model(site: Site) -> None:
    site.add("offers", OFFERS.format(name="vectors", backend="[Backend()]"))
    plugins = site.load()

    assert (list(plugins.backends), list(plugins.models), list(plugins.hosts)) == (["vectors"], ["vectors"], [])
    (loaded,) = plugins.loaded
    assert (loaded.backends, loaded.models) == (("vectors",), ("vectors",))
    assert plugins.findings == ()


def test_an_offer_of_another_kind_leaves_the_plugin_out(site: Site) -> None:
    site.add("bad", OFFERS.format(name="vectors", backend="Model()"))
    plugins = site.load()

    assert (plugins.loaded, list(plugins.models)) == ((), [])
    assert "is no IndexBackend" in plugins.findings[0].text


def test_a_search_engine_that_no_plugin_offers_is_unknown() -> None:
    with pytest.raises(UnknownBackendError, match="unknown backend 'vectors'; plugins offer: none"):
        find_backend("vectors", "")


def test_every_extension_point_is_documented_for_authors_and_tested_here() -> None:
    specs = [name for name in vars(hookspecs) if name.startswith("hfa_register_")]
    guide = (ROOT / "docs/how-to/write-an-adapter.md").read_text(encoding="utf-8")

    assert len(specs) == 3
    for name in specs:
        assert (getattr(hookspecs, name).__doc__ or "").strip()
        assert name in guide
        assert f"def {name}(" in WORKS + OFFERS


def test_of_two_plugins_for_one_host_the_first_by_name_speaks(site: Site) -> None:
    site.add("b", ONE)
    site.add("a", ONE.replace('"One"', '"First"'))
    plugins = site.load()

    assert plugins.hosts["one"].title == "First"
    assert ["dist-b" in finding.text for finding in plugins.findings] == [True]


@pytest.mark.parametrize(("only", "hosts"), [("", []), ("works", ["one"]), (" works , none", ["one"]), ("none", [])])
def test_only_the_named_plugins_are_loaded_where_names_are_given(site: Site, only: str, hosts: list[str]) -> None:
    site.add("works", ONE)
    site.add("bad", "raise RuntimeError")

    assert list(site.load(only).hosts) == hosts
    assert site.load(only).findings == ()


def test_the_adapters_of_this_workspace_are_found() -> None:
    assert list(load_hosts()) == ["antigravity", "claude", "cursor", "generic"]
    assert find_host("claude").title == "Claude Code"
    assert find_host("cursor").title == "Cursor"


def test_a_host_that_no_plugin_speaks_for_is_unknown_and_the_known_ones_are_named() -> None:
    with pytest.raises(UnknownHostError, match="unknown host 'emacs'; installed adapters: claude"):
        find_host("emacs", "claude")
    with pytest.raises(UnknownHostError, match="installed adapters: none"):
        find_host("claude", "")
