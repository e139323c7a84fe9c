# The hub as an image: no compiler, no npm at run time, an account without rights, and nothing written outside /data, /tmp
# and, by who makes backups, /backup.
# docs/install.md tells how to run it; .ci/image builds and starts it.
ARG NODE_IMAGE=docker.io/library/node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
COPY clients/console/package.json clients/console/
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY cli cli
COPY clients/console clients/console
COPY clients/typescript clients/typescript
COPY commands commands
COPY docs docs
COPY migrations migrations
COPY projections projections
COPY queries queries
COPY src src
RUN npm run build \
  && npm prune --omit=dev --ignore-scripts \
  && rm -rf node_modules/@collections-hub \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
COPY --from=build /app/package.json /app/
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/dist/bin /app/dist/bin
COPY --from=build /app/dist/console /app/dist/console
COPY LICENSE /app/
COPY docs/openapi.json docs/server.schema.json /app/docs/
COPY deploy/ready.mjs /app/deploy/
COPY deploy/docker/server.yaml deploy/docker/server-full.yaml /etc/collections-hub/
# The numbers stand for no name of the base image, so that Kubernetes can see that they are not root's.
RUN ln -s /app/dist/bin/hub.js /usr/local/bin/hub \
  && chmod 755 /app/dist/bin/hub.js \
  && install -d -m 700 -o 10001 -g 10001 /data /backup
USER 10001:10001
VOLUME /data
# `hub` finds server.yaml in the current directory.
WORKDIR /etc/collections-hub
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/deploy/ready.mjs"]
ENTRYPOINT ["hub"]
CMD ["start", "--init"]
