from __future__ import annotations

from agentjournal.engmem.answer.names import NAMES, all_names, names_in

JAVA = "public final class LedgerWriter implements Writer {\n  private static class Batch {}\n}\n"
RUST = "pub(crate) struct RouteBudget;\nimpl RouteBudget {}\nenum Kind { A }\n"
PYTHON = "class ParcelRouter(Base):\n    def class_of(self): ...\n"


def test_a_file_gives_its_name_and_the_classes_that_it_defines():
    assert names_in("LedgerWriter.java", JAVA) == ("LedgerWriter.java", "LedgerWriter", "Batch")
    assert names_in("budget.rs", RUST) == ("budget.rs", "RouteBudget", "Kind")
    assert names_in("parcel.py", PYTHON) == ("parcel.py", "ParcelRouter")


def test_a_file_that_defines_none_gives_the_class_names_it_uses_most():
    text = "use LedgerWriter and MenuCache; LedgerWriter again"
    assert names_in("notes.md", text) == ("notes.md", "LedgerWriter", "MenuCache")


def test_long_lines_are_data_and_hidden_characters_are_written_out():
    assert names_in("a\x1b.py", "class Abc" + " " * 400) == ("a\\x1b.py",)


def test_several_files_share_a_small_number_of_names_the_first_of_each_before_others():
    names = all_names((f"f{n}.py", f"Class{n}", f"Other{n}") for n in range(30))
    assert len(names) == NAMES
    assert names[:4] == ("f0.py", "Class0", "f1.py", "Class1")
    assert all_names([("a.py", "One", "Two"), ("b.py", "One")]) == ("a.py", "One", "b.py", "Two")
