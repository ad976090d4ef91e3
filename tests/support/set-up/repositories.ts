import { startReferenceRunner } from '../runner/reference-runner.ts';
import { startGitServer } from '../services/git-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from './for-vitest.ts';

/** A server on a database, with a model, a server of repositories, a runner of tests, and an account. */
export function setUpRepositories() {
  const models = setUpModelServer();
  const git = setUp(startGitServer, ({ close }) => close());
  const token = 'a runner token of the tests';
  const runner = setUp(
    () => startReferenceRunner({ token }),
    ({ close }) => close(),
  );
  const { database, server } = setUpServerOnDatabase(
    () => ({
      OPENAI_BASE_URL: models.url,
      ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on',
      ARTEL_RUNNER_URL: runner.url,
      ARTEL_RUNNER_TOKEN: token,
    }),
    { ownProcess: 'Large repositories load it.' },
  );
  const ann = setUpAccount(server);
  return { models, git, database, server, ann };
}
