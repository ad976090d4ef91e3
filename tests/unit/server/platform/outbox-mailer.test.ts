import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { outboxMailer } from '../../../../server/platform/mail/outbox-mailer.ts';
import { readLetter } from '../../../support/read-outbox.ts';

test('P7.02 emails of one millisecond lie in the outbox in the order in which they were sent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'artel-outbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const mailer = outboxMailer(folder, 'artel@example.org', () => 0);
  const subjects = Array.from({ length: 50 }, (_, n) => `${'x'.repeat(n % 7)} ${n}`);
  await Promise.all(
    subjects.map((subject) => mailer.send({ to: 'a@example.org', account: 'a', subject, text: 'x'.repeat(subject.length * 1000) })),
  );
  const names = (await readdir(folder)).sort();
  const letters = await Promise.all(names.map(async (name) => readLetter(await readFile(join(folder, name), 'utf8'))));
  expect(letters.map(({ subject }) => subject)).toEqual(subjects);
});

test('G8.08 the emails about one account are removed from the outbox, and the others stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'artel-outbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const mailer = outboxMailer(folder, 'artel@example.org', () => 0);
  for (const account of ['ann', 'bob', 'ann'])
    await mailer.send({ to: 'a@example.org', account, subject: account, text: 'X-Artel-Account: ann' });
  await mailer.forget('ann');
  const [left, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect(readLetter(await readFile(join(folder, left ?? ''), 'utf8')).subject).toBe('bob');
  await outboxMailer(join(folder, 'none'), 'artel@example.org', () => 0).forget('ann');
});
