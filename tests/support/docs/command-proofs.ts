/**
 * How a command of a document is known to work. `test`: a test executes it. The file has the command as it stands in the document, or the words of `as`
 * that stand for it there. `cannot`: why no test of this repository can execute it.
 */
export type CommandProof = { test: string; as?: string } | { cannot: string };

const operation = (name: string) => `tests/integration/operation/${name}.test.ts`;
const documented = { test: operation('documented-commands') };
const browserTest = { test: 'tests/e2e/pages/documented-server.spec.ts', as: "'A server without build tools'" };
/** A suite of `npm test` or `npm run test:rest` runs the same program. */
const suite = (program: string) => ({ test: 'package.json', as: `node scripts/test-run/run-suite.ts ${program}` });
const vitest = (name: string, projects: string) => suite(`${name} node_modules/vitest/vitest.mjs run --project ${projects}`);
const isWholeRun = { cannot: 'It is a whole run of tests, of which this test is a part.' };
const measures = { cannot: 'It measures for minutes, on a machine without other load.' };
const needsRegistry = 'It installs packages from the registry of npm. package.test.ts runs the installed command.';
const needsDocker = 'It needs Docker, which a machine of tests need not have. image.test.ts carries out both Dockerfiles.';
const needsRelease = 'It asks registries about a published release.';

/** Pages whose commands are one script, which a test executes as a whole. */
export const pageProofs: Record<string, CommandProof> = {
  'docs/run-by-api.md': { test: 'tests/integration/executions/run-by-api.test.ts', as: "docs('run-by-api.md')" },
};

/** The proof of each command of README.md, CONTRIBUTING.md and docs/, as its lines stand there without comments. */
export const commandProofs: Record<string, CommandProof> = {
  'npm install': documented,
  'npm start': documented,
  'npm install && npm start': { ...documented, as: "serve('npm start'" },
  'npm install && npm test': isWholeRun,
  'npm run dev': { test: operation('copied-checkout') },
  'npm install && npm run build && npm prune --omit=dev': browserTest,

  'npm pack': { test: operation('package'), as: "('npm', ['pack'," },
  'npx ./artel-0.1.0.tgz': { cannot: needsRegistry },
  'npx ./artel-0.1.0.tgz --runner': { cannot: needsRegistry },
  'npm install --global ./artel-0.1.0.tgz': { cannot: needsRegistry },

  'git pull && npm install && npm start': {
    cannot: 'It reads newer commits from the network. documented-commands.test.ts executes npm install and npm start.',
  },
  'npm audit signatures': { cannot: needsRelease },
  [`cosign verify ghcr.io/OWNER/artel:1.4.2 --certificate-oidc-issuer https://token.actions.githubusercontent.com \\
  --certificate-identity https://github.com/OWNER/artel/.github/workflows/release.yml@refs/tags/v1.4.2`]: { cannot: needsRelease },

  'npm run backup -- artel.backup': documented,
  'npm run restore -- artel.backup': documented,
  'npm run nightly-backup': { test: 'tests/integration/database/backup.test.ts', as: "startScript('nightly-backup', [], nightly)" },
  'export DATABASE_URL=postgresql://artel:...@db.example/artel ARTEL_SECRET_KEY=$(cat data/secret.key)': documented,
  'npm run account -- export ann@example.org ann.zip': documented,
  'npm run account -- delete ann@example.org': documented,
  'npm run account -- delete ann@example.org --now': documented,

  'OPENAI_API_KEY=sk-... npm start': documented,
  'OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_API_KEY=any npm start': documented,
  'ARTEL_RUNNER_URL=http://127.0.0.1:5002/jobs ARTEL_RUNNER_TOKEN=at-least-16-characters npm start': documented,
  'ARTEL_RUNNER_URL=https://runner.internal.example/jobs ARTEL_RUNNER_TOKEN=at-least-16-characters npm start': documented,
  'HTTPS_PROXY=http://proxy.firm.lan:3128 HTTP_PROXY=http://proxy.firm.lan:3128 NO_PROXY=.firm.lan,10.0.0.0/8 npm start': documented,
  'HTTPS_PROXY=http://proxy.firm.lan:3128 ARTEL_PROXY_HOSTS=devices.sberbank.ru=direct npm start': documented,
  "ARTEL_ALLOW_PRIVATE_HOSTS='gitlab.firm.lan, *.lab.firm.lan, 10.2.0.0/16' npm start": documented,
  'NODE_EXTRA_CA_CERTS=/etc/ssl/firm-root.pem npm start': documented,
  'NODE_EXTRA_CA_CERTS=/etc/ssl/russian-trusted-root-ca.pem npm start': documented,
  'npm run runner': documented,
  "ARTEL_RUNNER_REGISTRIES='usual, codeload.github.com, *.packages.example.com, npm.example.com:8443, npm.internal.example=10.1.2.3' npm run runner":
    documented,
  'npm run cluster': documented,
  'git archive --format=zip -o shop.zip HEAD': documented,
  'git archive --format=zip -o shop.zip HEAD src': documented,

  'npm test': isWholeRun,
  'npm test -- e2e --shard=1/3': isWholeRun,
  'npm run test:rest': isWholeRun,
  'npm run test:nightly': isWholeRun,
  'npm run types': suite('types scripts/types.ts'),
  'npm run lint': suite('lint scripts/lint.ts'),
  'npm run weight': suite('weight scripts/page-weight.ts'),
  'npm run regexes': { test: 'tests/unit/regexes/regexes.test.ts', as: 'whyNotLinear' },
  'npm run test:unit': vitest('unit', 'unit --project unit-isolated'),
  'npm run test:unit -- tests/unit/model': { test: operation('copied-checkout'), as: 'npm run test:unit -- ' },
  'npm run test:unit -- --watch tests/unit/model': { cannot: 'It runs until a person ends it.' },
  'npm run test:integration -- tests/integration/accounts/auth.test.ts': vitest('integration', 'integration'),
  'npm run test:ceilings': vitest('ceilings', 'ceilings'),
  'npm run test:faults -- tests/faults/kill-server.test.ts': vitest('faults', 'faults'),
  'npm run test:e2e -- tests/e2e/session.spec.ts': suite('e2e node_modules/playwright/cli.js test'),
  'npm run bench:canvas': measures,
  'npm run bench:drawing': measures,
  'npm run bench:engine': measures,
  'npm run bench:page': measures,
  'npm run bench:repositories -- /path': measures,
  'npm run bench:response-text': measures,
  'npm run bench:server': measures,
  'npm run bench:server -- --quick': measures,
  'npm run bench:trim-versions': measures,

  'cp deploy/compose.env.example compose.env': documented,
  'export ARTEL_COMMIT=$(git rev-parse HEAD)': { test: 'tests/unit/server/deploy.test.ts' },
  'docker compose --env-file compose.env up -d --build': { cannot: needsDocker },
  'docker compose -f compose.cluster.yaml --env-file compose.env up -d --build': { cannot: needsDocker },
  'docker compose --env-file compose.env pull && docker compose --env-file compose.env up -d': { cannot: needsRelease },
  'docker run -d --name artel -p 127.0.0.1:5001:5001 -v artel:/data ghcr.io/OWNER/artel:1': { cannot: needsRelease },
  'docker pull ghcr.io/OWNER/artel:1 && docker stop artel && docker rm artel': { cannot: needsRelease },
  'docker compose --env-file compose.env exec postgres dropdb -U artel artel': { cannot: needsDocker },
  'docker compose --env-file compose.env exec postgres createdb -U artel artel': { cannot: needsDocker },
  'docker compose --env-file compose.env cp backup:/backups ./copies': { cannot: needsDocker },
  'docker compose --env-file compose.env stop artel': { cannot: needsDocker },
  'docker compose --env-file compose.env run --rm --no-deps backup npm run restore -- /backups/artel-2026-12-02.backup --replace': {
    cannot: needsDocker,
  },
  'docker compose --env-file compose.env start artel': { cannot: needsDocker },
  'docker build -t artel .': { cannot: needsDocker },
  'docker run -d --name artel -p 127.0.0.1:5001:5001 -v artel:/data artel': { cannot: needsDocker },
  'docker build -t artel-runner -f deploy/runner/Dockerfile .': { cannot: needsDocker },
  [`docker run --rm --init -p 127.0.0.1:5002:5002 -e ARTEL_RUNNER_TOKEN=at-least-16-characters --cap-drop ALL \\
  $(printf -- '--cap-add %s ' SYS_ADMIN NET_ADMIN SETUID SETGID SETPCAP CHOWN DAC_OVERRIDE FOWNER KILL SYS_PTRACE) artel-runner`]: {
    cannot: needsDocker,
  },

  [`curl -X POST 'http://localhost:5001/api/team/notes/runs' -H "Authorization: Bearer $ARTEL_KEY" \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: ticket-17' -d '{"input": {"topic": "Version 2.0"}}'`]: {
    test: 'tests/integration/executions/run-by-api.test.ts',
    as: "docs('programs.md')",
  },
  'claude mcp add --transport http artel http://localhost:5001/mcp --header "Authorization: Bearer $ARTEL_KEY"': {
    cannot: 'It is a command of Claude Code. released-teams-mcp.test.ts calls the same address as an MCP client.',
  },
};
