import { expect, test } from 'vitest';
import { signUp } from '../../support/run-account.ts';
import { endlessPdf, samplePdf } from '../../support/services/sample-pdf.ts';
import { setUpAccount, setUpServer } from '../../support/set-up/for-vitest.ts';
import { turnsOfFlood } from '../../support/turns-of-flood.ts';

const server = setUpServer({}, { ownProcess: "Another account's turns are counted." });
const mallory = setUpAccount(server);

test('L2.04 R19.01 previews of schedules, twenty at once, leave a turn to each call of another user', async () => {
  const ben = await signUp(server.url);
  const [callers, each] = [20, 5];
  // No two are alike: what was computed is remembered.
  const preview = (at: number) => `/schedule-preview?cron=${encodeURIComponent(`${at % 60} ${at % 24} * 2 1#5`)}&zone=America/St_Johns`;
  const flood = (answered: () => void) =>
    Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        for (let at = 0; at < each; at += 1) {
          const { status } = await mallory.call('GET', preview(caller * each + at));
          expect([200, 429, 503]).toContain(status);
          answered();
        }
      }),
    );
  const turns = await turnsOfFlood(flood, async () => expect((await ben.call('GET', '/project')).status).toBe(200));
  // On the mean a call of the other user is answered before half of those that are in flight.
  expect(turns.length).toBeGreaterThan((callers * each) / (callers / 2));
});

test('G8.30 R19.01 the document of a user is read before the endless ones of another that were sent before it', async () => {
  const ben = await signUp(server.url);
  const answered: string[] = [];
  const put = async (account: typeof ben, name: string, body: Buffer) => {
    const { body: set } = await account.call<{ id: string }>('POST', '/inputSet', { projectId: 'default' });
    const headers = { authorization: `Bearer ${account.accessToken}`, 'content-type': 'application/octet-stream' };
    await fetch(`${server.url}/api/inputSet/${set.id}/file?path=${name}.pdf`, { method: 'PUT', headers, body: new Uint8Array(body) });
    answered.push(name);
  };
  const endless = ['a', 'b', 'c', 'd'].map((name) => put(mallory, name, endlessPdf()));
  const own = put(ben, 'own', samplePdf('Read me'));
  await Promise.all([...endless, own]);
  expect(answered.indexOf('own')).toBeLessThan(2);
});
