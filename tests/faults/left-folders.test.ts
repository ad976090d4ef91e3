import { readdirSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { InputSet } from '../../contract/input.ts';
import { postmasterOf } from '../support/faults/postgres-recovery.ts';
import { signUp } from '../support/run-account.ts';
import { setUp, setUpFolder } from '../support/set-up/for-vitest.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

/** A Git server that never answers: a fetch from it lasts until its limit. */
const silent = setUp(
  async () => {
    const server = http.createServer((request, response) => {
      if (!request.url?.includes('/info/refs')) return;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      response.end(['001e# service=git-upload-pack\n', '0000', '000eversion 2\n', '000cls-refs\n', '000afetch\n', '0000'].join(''));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
  },
  ({ close }) => close(),
);
const temporary = setUpFolder();

const folders = () => readdirSync(temporary.path).filter((name) => /^artel-(?:git|pg)-/.test(name));

/** Starts a server and a fetch in it that does not end. Returns the server with the two folders that it has made. */
async function startFetching(servers: TestServer[]): Promise<{ server: TestServer; made: string[] }> {
  const before = folders();
  const server = await startServer({ env: { ARTEL_CLIENT: 'off', TMPDIR: temporary.path, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' } });
  servers.push(server);
  const ann = await signUp(server.url);
  const { id } = (await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' })).body;
  // It has no answer: the fetch lasts until the server is stopped.
  ann.call('POST', `/inputSet/${id}/repository`, { url: `${silent.url}/bakery` }).catch(() => {});
  const made = () => folders().filter((name) => !before.includes(name));
  await expect
    .poll(() =>
      made()
        .map((name) => name.slice(0, 'artel-git'.length))
        .sort(),
    )
    .toEqual(['artel-git', 'artel-pg-']);
  return { server, made: made() };
}

test('R10.01 temporary folders of a killed server are removed at the next start of any server, and those of a server that lives stay', async () => {
  const servers: TestServer[] = [];
  try {
    const killed = await startFetching(servers);
    const living = await startFetching(servers);
    const postmaster = postmasterOf(killed.server.dataDir);
    await killed.server.kill('SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    const next = await startServer({ env: { ARTEL_CLIENT: 'off', TMPDIR: temporary.path } });
    servers.push(next);
    await expect.poll(() => folders().filter((name) => killed.made.includes(name))).toEqual([]);
    expect(
      folders()
        .filter((name) => living.made.includes(name))
        .sort(),
    ).toEqual(living.made.sort());
    expect((await fetch(`${living.server.url}/health`)).status).toBe(200);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
});
