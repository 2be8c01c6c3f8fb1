# Builds one small image that serves lists: the program, what it links, and nothing else.
#
#   docker build -t roster .
#   docker run --rm -p 8080:8080 roster
#   docker run --rm -p 8080:8080 -v "$PWD:/data:ro" roster users=people.csv

# Any official Swift image on the same Debian as the last stage will do: both must share one libc.
ARG SWIFT_TAG=6.3-bookworm

FROM docker.io/library/swift:${SWIFT_TAG} AS build

# Not every Swift image brings the headers of SQLite and zlib. Versions are not pinned: Debian removes the old
# ones from its mirrors with each security update, and a pin would end the build that day.
# hadolint ignore=DL3008
RUN apt-get -q update \
    && apt-get -q install -y --no-install-recommends libsqlite3-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /source
COPY Package.swift ./
# The stylesheet and the icon are built into the program.
COPY Public Public
COPY Sources Sources

# The Swift runtime goes into the program, so the last stage needs no Swift. `install -s` leaves
# out the symbols, about a third of the bytes.
RUN swift build -c release --product roster --static-swift-stdlib \
    && install -s -D -t /image "$(swift build -c release --static-swift-stdlib --show-bin-path)/roster"

FROM docker.io/library/debian:bookworm-slim

# Linked as Debian ships it, so that its security updates reach the image with a rebuild. Who
# fetches from https sources needs to know whom to trust.
# hadolint ignore=DL3008
RUN apt-get -q update \
    && apt-get -q install -y --no-install-recommends ca-certificates libcurl4 libexpat1 libpq5 \
        libsqlite3-0 zlib1g \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/ldconfig/* /var/log/*

COPY --from=build /image/ /usr/local/bin/

ARG VERSION=unreleased
LABEL org.opencontainers.image.title="Roster" \
      org.opencontainers.image.description="Serves lists to people and programs" \
      org.opencontainers.image.version="${VERSION}"

# Loopback, the default elsewhere, cannot be reached from outside a container.
ENV ROSTER_HOST=0.0.0.0 \
    ROSTER_PORT=8080
EXPOSE 8080

# Files to serve are mounted here and named without a path. Nothing is written, here or elsewhere:
# the root may be read-only.
WORKDIR /data

# A number, so that an orchestrator can see that it is not root; fixed, so that mounted files can
# be given to it.
USER 10001:10001

# The program asks itself, so the image needs no curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["roster", "--health"]

# Drains: finishes what is in flight, then exits 0. The exec form makes the program PID 1, so that
# the signal reaches it.
STOPSIGNAL SIGTERM
ENTRYPOINT ["roster"]
