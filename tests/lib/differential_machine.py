"""The state machine that draws requests: one rule for each verb."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from typing_extensions import override

from contract import APPLY, JSON_PATCH, MERGE, STRATEGIC
from differential_change import changes
from differential_limit import rules
from differential_options import apply_options, deletion, forms, list_options, selection, write_options
from differential_patch import any_patch, configuration, json_patch, merge_patch, patch_of, strategic_patch
from differential_step import Step
from differential_subject import NAMES, subjects

if TYPE_CHECKING:
    from hypothesis.strategies import DataObject

    from differential_edit import Group
    from differential_pair import Pair
    from differential_subject import Subject
    from windlass.schema import Shape

_PATCHES: Final = {MERGE: merge_patch, STRATEGIC: strategic_patch, JSON_PATCH: json_patch}
_FEW: Final = 2
_SELDOM, _LAST = 19, 3
_SCALE: Final = "/scale"


def _form(part: str) -> str:
    """Where a part is read: only a scale has a form of its own."""
    return part if part == _SCALE else ""


def _shape(subject: Subject, part: str) -> Shape | None:
    return None if part == _SCALE else subject.shape


class Requests(RuleBasedStateMachine):
    """Sends requests that concern two kinds of an area and two names of each to both servers."""

    def __init__(self, pair: Pair, area: str) -> None:
        super().__init__()
        self._pair = pair
        self._area = area
        self._subjects: list[Subject] = []

    @initialize(data=st.data())
    def begin(self, data: DataObject) -> None:
        """Choose the kinds and what rules their namespace, and create one object of each."""
        known = st.sampled_from(subjects(self._area, self._pair.group))
        self._subjects = data.draw(
            st.lists(known, min_size=1, max_size=_FEW, unique_by=lambda each: each.title)
        )
        self._pair.begin(data.draw(rules(self._area, self._pair.group)))
        for subject in self._subjects:
            self._create(data, subject, NAMES[0])

    @rule(data=st.data())
    def create(self, data: DataObject) -> None:
        """Create an object, from its manifest or a changed one."""
        subject, name = self._chosen(data)
        made = () if data.draw(st.booleans()) else self._changes(data, subject, subject.valid)
        self._create(data, subject, name, (data.draw(write_options()), made))

    @rule(data=st.data())
    def replace(self, data: DataObject) -> None:
        """Read an object, change it, and put it back, or a part of it."""
        subject, name = self._chosen(data)
        path, part = self._path(subject, name), self._part(data, subject)
        read = self._pair.read(path + _form(part))
        if read is not None:
            made = self._changes(data, subject, read, part)
            self._ask(data, Step("PUT", path + part, data.draw(write_options()), read, made))

    @rule(data=st.data())
    def patch(self, data: DataObject) -> None:
        """Patch an object, or a part of it."""
        subject, name = self._chosen(data)
        path, part = self._path(subject, name), self._part(data, subject)
        read = self._pair.read(path + _form(part)) or subject.manifest(name)
        form = data.draw(st.sampled_from((*_PATCHES,)))
        shape = _shape(subject, part)
        if data.draw(st.integers(0, 19)) == _SELDOM:
            body = data.draw(any_patch())
        elif part != _SCALE and data.draw(st.booleans()):
            body = patch_of(form, read, shape, self._known(data, subject))
        else:
            body = data.draw(_PATCHES[form](read, shape))
        self._ask(data, Step("PATCH", path + part, data.draw(write_options()), body, content_type=form))

    @rule(data=st.data())
    def apply(self, data: DataObject) -> None:
        """Apply a part of a manifest, as one of a few managers."""
        subject, name = self._chosen(data)
        manifest = subject.manifest(subject.name(self._pair.namespace, name))
        part = data.draw(
            st.sampled_from(("", "", "", "", *(f"/{part}" for part in subject.parts if part == "status")))
        )
        body = data.draw(configuration(manifest, subject.shape))
        options = data.draw(apply_options())
        self._ask(data, Step("PATCH", self._path(subject, name) + part, options, body, content_type=APPLY))

    @rule(data=st.data())
    def delete(self, data: DataObject) -> None:
        """Delete an object."""
        subject, name = self._chosen(data)
        path = self._path(subject, name)
        self._pair.read(path)
        options, body = data.draw(deletion(path))
        self._ask(data, Step("DELETE", path, options, body))

    @rule(data=st.data())
    def delete_some(self, data: DataObject) -> None:
        """Delete the objects that are selected."""
        subject, _ = self._chosen(data)
        if subject.namespaced and data.draw(st.integers(0, 2)) == 0:
            options, body = data.draw(deletion(self._path(subject, NAMES[0])))
            query = {**options, **data.draw(selection())}
            self._ask(data, Step("DELETE", subject.collection(self._pair.namespace), query, body))

    @rule(data=st.data())
    def get(self, data: DataObject) -> None:
        """Read an object, or a part of it, in some form."""
        subject, name = self._chosen(data)
        part = data.draw(st.sampled_from(("", *(f"/{part}" for part in subject.parts))))
        form = data.draw(forms(collection=False))
        self._ask(data, Step("GET", self._path(subject, name) + part, accept=form))

    @rule(data=st.data())
    def list(self, data: DataObject) -> None:
        """List the objects that are selected, in some form."""
        subject, name = self._chosen(data)
        path = subject.collection(self._pair.namespace)
        query: dict[str, Any] = data.draw(list_options(path, [self._path(subject, name)]))
        if not subject.namespaced:
            query = {"fieldSelector": f"metadata.name={subject.name(self._pair.namespace, name)}"}
        self._ask(data, Step("GET", path, query, accept=data.draw(forms(collection=True))))

    @override
    def teardown(self) -> None:
        """Compare the events, unless something is wrong already, and clear up."""
        if not self._subjects:
            return
        try:
            if sys.exception() is None:
                self._pair.end(self._subjects)
        finally:
            self._pair.clear(self._subjects)

    def _chosen(self, data: DataObject) -> tuple[Subject, str]:
        names = (*NAMES[:1] * _FEW, *NAMES)
        return data.draw(st.sampled_from(self._subjects)), data.draw(st.sampled_from(names))

    def _part(self, data: DataObject, subject: Subject) -> str:
        return data.draw(st.sampled_from(("", "", "", *(f"/{part}" for part in subject.parts))))

    def _changes(self, data: DataObject, subject: Subject, value: Any, part: str = "") -> Group:
        """Changes of a value: half of them known, the others drawn."""
        if part == _SCALE or data.draw(st.booleans()):
            return data.draw(changes(value, _shape(subject, part)))
        return self._known(data, subject)

    def _known(self, data: DataObject, subject: Subject) -> Group:
        """Changes that are known to be taken, or, less often, to be refused."""
        refused = subject.refused and data.draw(st.integers(0, 3)) == _LAST
        return data.draw(st.sampled_from(subject.refused if refused else subject.taken))

    def _path(self, subject: Subject, name: str) -> str:
        return f"{subject.collection(self._pair.namespace)}/{subject.name(self._pair.namespace, name)}"

    def _ask(self, _data: DataObject, step: Step) -> bool:
        """Send a request to both servers; whether the real one took it."""
        return self._pair.ask(step)

    def _create(
        self,
        data: DataObject,
        subject: Subject,
        name: str,
        how: tuple[dict[str, Any], tuple[Any, ...]] = ({}, ()),
    ) -> None:
        options, made = how
        manifest = subject.manifest(subject.name(self._pair.namespace, name))
        if not subject.namespaced and any(change.way[:1] == ("metadata",) for change in made):
            # Another name may be in use, and nobody would clear it away.
            options = {**options, "dryRun": "All"}
        self._ask(data, Step("POST", subject.collection(self._pair.namespace), options, manifest, made))
