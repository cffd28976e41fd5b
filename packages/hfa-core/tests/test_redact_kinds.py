"""Every kind of secret by a vector of its own, and how many of generated secrets and look-alikes are told apart."""

from __future__ import annotations

import random
import re

import pytest

from hfa_core.redact import find_secrets, redact
from hfa_core.redact.rules import RULES
from tests.fake_secrets import Vector, look_alikes, vectors

VECTORS = vectors(random.Random("vectors"))
NAME = re.compile(r"[a-z][a-z0-9-]{1,39}")


@pytest.mark.parametrize("vector", VECTORS, ids=[vector[0] for vector in VECTORS])
def test_a_secret_is_replaced_by_a_mark_that_names_its_kind(vector: Vector) -> None:
    kind, before, secret, after = vector

    assert redact(before + secret + after) == f"{before}[REDACTED:{kind}]{after}"


def test_every_rule_has_a_vector_a_literal_and_a_name_that_a_mark_can_hold() -> None:
    assert {rule[0] for rule in RULES} == {vector[0] for vector in VECTORS}
    assert len(RULES) >= 35
    assert all(NAME.fullmatch(name) and literals for name, literals, _, _, _ in RULES)


def test_no_kind_in_a_mark_is_read_as_the_name_of_a_setting() -> None:
    for kind in (rule[0] for rule in RULES):
        for text in (
            f"[REDACTED:{kind}]: swordfish",
            f"the [REDACTED:{kind}] is swordfish9",
            f"a://u:[REDACTED:{kind}]@h",
        ):
            assert redact(text) is text


@pytest.mark.parametrize("mark", ["\x01", "\x7f", "\ud800", "\u200b", "\u202e", "\U000e0041"])
def test_what_cleaning_takes_out_of_a_text_hides_no_secret_from_redaction(mark: str) -> None:
    secret = "gh" + "p_" + "a1B2" * 9

    assert secret[:20] not in redact(f"use {mark.join(secret)} now")


@pytest.mark.parametrize("seed", range(3))
def test_of_generated_secrets_hardly_one_is_missed(seed: int) -> None:
    rng = random.Random(seed)
    made = [one for _ in range(3) for one in vectors(rng)]

    missed = [
        (kind, before + secret) for kind, before, secret, after in made if secret in redact(before + secret + after)
    ]

    assert len(made) >= 200
    assert len(missed) <= len(made) // 100, missed


@pytest.mark.parametrize("seed", range(3))
def test_of_generated_look_alikes_hardly_one_is_taken_for_a_secret(seed: int) -> None:
    rng = random.Random(seed)
    made = [one for _ in range(10) for one in look_alikes(rng)]

    taken = [(find_secrets(one), one) for one in made if find_secrets(one)]

    assert len(made) >= 200
    assert len(taken) <= len(made) // 100, taken
