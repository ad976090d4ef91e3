import { expect, test } from 'vitest';
import type { Egress } from '../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import { createHttpRunner } from '../../../../server/platform/runner/http-runner.ts';

test('G8.16 a runner that prints its token into the log, in two lines of its answer, gives it to no reader', async () => {
  const token = 'token-of-the-runner';
  const lines = [{ log: `The token is ${token.slice(0, 7)}` }, { log: `${token.slice(7)}.\nDone` }, { exit: 0 }];
  const egress: Egress = async () => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const body = (async function* () {
      yield Buffer.from(text);
    })();
    return { status: 200, ok: true, headers: {}, body, text: async () => text, scrubber: createScrubber([token]) };
  };
  let log = '';
  const runner = createHttpRunner({ url: 'https://runner.test', token, egress });
  const job = {
    id: 'a',
    command: 'npm test',
    archive: new Uint8Array(),
    seconds: 5,
    project: null,
    install: 'manifest' as const,
    hosts: [],
  };
  const onLog = (text: string) => {
    log += text;
  };
  expect(await runner.execute(job, { signal: new AbortController().signal, onLog })).toEqual({ exitCode: 0 });
  expect(log).toBe('The token is ***.\nDone');
});
