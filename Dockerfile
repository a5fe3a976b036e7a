# One image for every operator that ships: `windlass` is its entrypoint, `run NAME` its argument.
# BASE needs Python 3.11 or newer with venv; the image has what BASE has, one virtual environment, and helm.
ARG BASE=python:3.13-slim

FROM ${BASE} AS build
WORKDIR /src
COPY requirements/build.txt requirements/run.txt requirements/
RUN python3 -m venv /build && /build/bin/pip install --no-cache-dir --require-hashes -r requirements/build.txt
RUN python3 -m venv /opt/windlass \
 && /opt/windlass/bin/pip install --no-cache-dir --require-hashes -r requirements/run.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /build/bin/python -m hatchling build --target wheel --directory /wheel \
 && /opt/windlass/bin/pip install --no-cache-dir --no-deps /wheel/*.whl \
 && /opt/windlass/bin/pip uninstall --yes pip setuptools
# Where BASE has helm already, that one is taken; see `windlass tools install --help`.
RUN mkdir /opt/windlass/tools \
 && cp "$(/opt/windlass/bin/windlass tools install helm)" /opt/windlass/tools/helm

FROM ${BASE}
COPY --from=build /opt/windlass /opt/windlass
# Nothing is written but to /tmp, so that the root file system can be read-only.
ENV PATH=/opt/windlass/bin:/opt/windlass/tools:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/tmp
USER 65532:65532
WORKDIR /
ENTRYPOINT ["windlass"]
