# Both bases may be replaced by any image with the same contents: one with Bun 1.4.4, one with glibc and CA certificates.
ARG BUILD_BASE=docker.io/oven/bun:1.4.4-slim
ARG RUN_BASE=gcr.io/distroless/base-debian12:nonroot
# Built on the machine's own processor, also for an image of another one.
ARG BUILDPLATFORM

FROM --platform=${BUILDPLATFORM} ${BUILD_BASE} AS build
WORKDIR /build
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile --omit=optional --ignore-scripts
COPY tsconfig.json README.md CHANGELOG.md SECURITY.md LICENSE ./
COPY bin bin
COPY drizzle drizzle
COPY src src
# What `memsvc --version` says: --build-arg COMMIT="$(git log -1 --format='%h %cs')".
ARG COMMIT=
# The processor that the image is for, from a builder that knows several.
ARG TARGETARCH
RUN bun run build ${TARGETARCH:+--target "linux-$(echo "$TARGETARCH" | sed s/amd64/x64/)"} && bun run build:package && mkdir -p /made/data /made/backups

FROM ${RUN_BASE}
COPY --from=build /build/dist/memsvc /usr/local/bin/memsvc
COPY --from=build /build/LICENSE /build/dist/npm/THIRD-PARTY /build/dist/npm/sbom.cdx.json /usr/share/doc/memsvc/
COPY --from=build --chown=65532:65532 /made/data /data
COPY --from=build --chown=65532:65532 /made/backups /backups
ENV SVC_HOST=0.0.0.0 SVC_DATA_DIR=/data
USER 65532:65532
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["/usr/local/bin/memsvc", "health"]
ENTRYPOINT ["/usr/local/bin/memsvc"]
CMD ["serve"]
