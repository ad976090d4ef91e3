import { afterEach, describe, expect, test } from 'vitest';
import { addForgeTrigger, label, mendLibrary, startLibraryForge, triggerDetails } from '../../support/forges/issue-team.ts';
import type { PlayedForge } from '../../support/forges/played-forge.ts';
import { signUp } from '../../support/run-account.ts';
import { sandboxes, startRunner } from '../../support/runner/start-runner.ts';
import { startPlayedRegistry } from '../../support/services/played-registry.ts';
import { setUp, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const pace = { interval: 100 };

/** A program for tests, which the library names among its dependencies. */
const checker = {
  name: 'tiny-check',
  manifest: { version: '1.2.0', bin: { 'tiny-check': 'check.js' }, scripts: { postinstall: 'node built.js' }, hasInstallScript: true },
  files: {
    'check.js':
      "#!/usr/bin/env node\nrequire('./made.js');\nprocess.exit(require('node:child_process').spawnSync('node', ['--test'], { stdio: 'inherit' }).status);\n",
    'built.js': "require('node:fs').writeFileSync(require('node:path').join(__dirname, 'made.js'), '');\n",
  },
};
const library = { name: 'days', type: 'module', scripts: { test: 'tiny-check' }, devDependencies: { 'tiny-check': '^1.0.0' } };

describe.skipIf(sandboxes.length === 0)('a library without a lock file', () => {
  const models = setUpModelServer(mendLibrary);
  const registry = setUp(
    () => startPlayedRegistry([checker]),
    ({ close }) => close(),
  );
  // A registry on loopback is in reach of commands with the network of the machine alone.
  const runner = setUp(
    () =>
      startRunner({
        ...{ ARTEL_RUNNER_SANDBOX: sandboxes[0] ?? '', ARTEL_RUNNER_NETWORK: 'on' },
        ...{ ARTEL_RUNNER_INSTALL_VARIABLES: 'npm_config_registry', npm_config_registry: registry.url },
      }),
    ({ stop }) => stop(),
  );
  const { server } = setUpServerOnDatabase(() => ({
    ...{ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' },
    ...{ ARTEL_RUNNER_URL: runner.url, ARTEL_RUNNER_TOKEN: runner.token },
  }));
  let forge: PlayedForge;
  afterEach(() => forge?.close());

  test('C5.09 L5.11 goes from a label to a draft request whose tests ran, and the log begins with what was installed', async () => {
    forge = await startLibraryForge('github', library);
    const ann = await signUp(server.url);
    const trigger = await addForgeTrigger(ann, forge, { testCommand: 'npm test' });
    const issue = forge.open({ title: 'Days are counted in hours', text: 'The test is red.', by: 'bob' });
    forge.label(issue, label, 'bob');

    await expect.poll(() => forge.requests().length, pace).toBe(1);
    const [request] = forge.requests();
    expect(request).toMatchObject({
      isDraft: true,
      text: expect.stringMatching(/Executed: `npm test`, exit 0 .* counts 1 passed and 0 failed/),
    });
    const { fires } = await triggerDetails(ann, trigger);
    const run = await ann.details(fires[0]?.run?.id ?? '');
    expect(run.steps[0]?.testRun).toMatchObject({ state: 'ended', exitCode: 0, counts: { passed: 1, failed: 0 } });
    const log = await fetch(`${ann.url}/api/PipelineExecution/${run.id}/steps/${run.steps[0]?.stepId}/test-log`, {
      headers: { authorization: `Bearer ${ann.accessToken}` },
    });
    expect(await log.text()).toMatch(/^There is no lock file for package\.json: .*\n\$ npm install --ignore-scripts --no-package-lock/);
    expect(registry.asked).toContain('/tiny-check/1.2.0.tgz');
  });
});
