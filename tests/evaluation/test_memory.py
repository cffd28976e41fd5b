from __future__ import annotations

from pathlib import Path

from evaluation.memory import open_memory
from evaluation.sets import Document


def test_the_end_of_a_text_longer_than_any_record_is_found_and_costs_no_more_than_the_budget(tmp_path: Path) -> None:
    filler = "Nothing that matters stands in this line of prose, again and again. " * 60
    documents = [Document("long", "Notes", filler + "\nThe zeppelin hangar closes at dusk. 飞艇库房黄昏关闭。")]
    documents += [Document(str(number), f"Record {number}", "Another thing entirely.") for number in range(5)]
    with open_memory(tmp_path / "memory", documents) as memory:
        english, chinese = memory.recall("zeppelin hangar closes at dusk"), memory.recall("飞艇库房黄昏关闭")
    assert english.shown == chinese.shown == ("long",)
    assert english.tokens == 600


def test_a_hit_on_the_old_document_shows_its_successor_wherever_that_stands(tmp_path: Path) -> None:
    documents = [
        Document("newest", "Invoices live in Glacier", "Cheap.", supersedes=("newer",)),
        Document("newer", "Invoices live on tape", "Slow.", supersedes=("old",)),
        Document("old", "Invoices live on the NFS share", "Fast."),
    ]
    with open_memory(tmp_path / "memory", documents) as memory:
        assert memory.recall("do invoices live on the NFS share").shown == ("newest",)
        assert memory.order("do invoices live on the NFS share")[0] == "old"


def test_documents_that_replace_one_another_in_a_circle_are_all_stored(tmp_path: Path) -> None:
    documents = [
        Document("a", "Falcon", "falcon", supersedes=("b",)),
        Document("b", "Heron", "heron", supersedes=("c",)),
        Document("c", "Osprey", "osprey", supersedes=("a",)),
    ]
    with open_memory(tmp_path / "memory", documents) as memory:
        assert {memory.order(word)[0] for word in ("falcon", "heron", "osprey")} == {"a", "b", "c"}
