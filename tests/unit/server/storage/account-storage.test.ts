import { expect, test } from 'vitest';
import { AccountStorage } from '../../../../server/modules/storage/account-storage.ts';
import type { RunStatement } from '../../../../server/platform/database/prepared-statements.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

const kibibyte = 1024;

/** Storage over an account of the database that is never full, with the statements that it sends. */
function storageOver({
  limitBytes = 1024 * kibibyte * kibibyte,
  free = Number.MAX_SAFE_INTEGER,
  measureMs = 0,
}: {
  limitBytes?: number | null;
  free?: number;
  measureMs?: number;
} = {}) {
  const sent: { what: 'reserve' | 'settle' | 'measure'; values: unknown[] }[] = [];
  let now = 0;
  let bytes = 0;
  const run: RunStatement = async ({ text, values }) => {
    const [, stored, reserved, limit] = values.map(Number);
    if (!text.includes('RETURNING')) {
      sent.push({ what: 'settle', values });
      return [];
    }
    sent.push({ what: 'reserve', values });
    if (bytes + (stored ?? 0) + (reserved ?? 0) > (limit ?? 0)) return [];
    bytes += (stored ?? 0) + (reserved ?? 0);
    return [{ total: bytes, age: 0 }];
  };
  const measuring: RunStatement = async ({ values }) => {
    sent.push({ what: 'measure', values });
    now += measureMs;
    return [{ kinds: { runs: bytes }, bytes }];
  };
  const storage = new AccountStorage({
    ...{ run, measuring, limitBytes, freeBytes: async () => free, minFreeBytes: 100, elapsed: () => now },
    onFailed: (error) => {
      throw error;
    },
  });
  return { storage, sent, later: (ms: number) => (now += ms), hold: (held: number) => (bytes = held) };
}

const nothing = async () => {};

test('G8.01 a hundred small writes of an account cost one statement', async () => {
  const { storage, sent } = storageOver();
  for (let count = 0; count < 100; count += 1) await storage.storing({ userId: asOwner('ann'), bytes: kibibyte }, nothing);
  expect(sent.map(({ what }) => what)).toEqual(['reserve']);
});

test('G8.01 small writes are written down with the first one above a mebibyte, and again after ten seconds', async () => {
  const { storage, sent, later } = storageOver();
  for (let count = 0; count < 17; count += 1) await storage.storing({ userId: asOwner('ann'), bytes: 64 * kibibyte }, nothing);
  expect(sent).toHaveLength(1);
  await storage.storing({ userId: asOwner('ann'), bytes: 64 * kibibyte }, nothing);
  expect(sent.at(-1)?.values[1]).toBe(17 * 64 * kibibyte);
  later(10_001);
  await storage.storing({ userId: asOwner('ann'), bytes: 1 }, nothing);
  expect(sent).toHaveLength(3);
});

test('G8.01 a large write reserves its bytes before it begins, and gives them back when it fails', async () => {
  const { storage, sent } = storageOver();
  const bytes = 200 * kibibyte;
  await storage.storing({ userId: asOwner('ann'), bytes }, async () => {
    expect(sent).toEqual([{ what: 'reserve', values: ['ann', 0, bytes, expect.any(Number)] }]);
  });
  expect(sent.at(-1)).toEqual({ what: 'settle', values: ['ann', bytes, bytes] });
  const failing = storage.storing({ userId: asOwner('ann'), bytes }, () => Promise.reject(new Error('The disk is gone.')));
  await expect(failing).rejects.toThrow('The disk is gone.');
  expect(sent.at(-1)).toEqual({ what: 'settle', values: ['ann', bytes, 0] });
});

test('G8.02 an account is measured again before a write is refused, and edits may go a tenth beyond the limit', async () => {
  const { storage, sent, hold } = storageOver({ limitBytes: 1_000_000 });
  hold(1_050_000);
  await expect(storage.storing({ userId: asOwner('ann'), bytes: 1 }, nothing)).rejects.toMatchObject({ code: 'quota_reached' });
  expect(sent.map(({ what }) => what)).toEqual(['reserve', 'measure', 'reserve']);
  await storage.storing({ userId: asOwner('ann'), bytes: 1, grade: 'edits' }, nothing);
  hold(0);
  storage.freed(asOwner('ann'));
  await storage.storing({ userId: asOwner('ann'), bytes: 1 }, nothing);
});

test('G8.02 repeated refusals of an unchanged account measure it once a second', async () => {
  const { storage, sent, hold, later } = storageOver({ limitBytes: 1_000 });
  hold(1_000);
  const measurements = () => sent.filter(({ what }) => what === 'measure').length;
  for (let count = 0; count < 5; count += 1)
    await expect(storage.storing({ userId: asOwner('ann'), bytes: 1 }, nothing)).rejects.toMatchObject({ code: 'quota_reached' });
  expect(measurements()).toBe(1);
  later(1_001);
  await expect(storage.storing({ userId: asOwner('ann'), bytes: 1 }, nothing)).rejects.toMatchObject({ code: 'quota_reached' });
  expect(measurements()).toBe(2);
});

test('G8.04 on a full disk every write is refused but small edits, which stop at half of the floor', async () => {
  const full = storageOver({ free: 60 }).storage;
  await expect(full.storing({ userId: asOwner('ann'), bytes: 0 }, nothing)).rejects.toMatchObject({ code: 'storage_full' });
  await expect(full.storing({ userId: asOwner('ann'), bytes: 100 * kibibyte, grade: 'edits' }, nothing)).rejects.toMatchObject({
    code: 'storage_full',
  });
  await full.storing({ userId: asOwner('ann'), bytes: 1, grade: 'edits' }, nothing);
  const fuller = storageOver({ free: 40 }).storage;
  await expect(fuller.storing({ userId: asOwner('ann'), bytes: 1, grade: 'edits' }, nothing)).rejects.toMatchObject({
    code: 'storage_full',
  });
});

test('G8.01 without a limit nothing is counted', async () => {
  const { storage, sent } = storageOver({ limitBytes: null });
  await storage.storing({ userId: asOwner('ann'), bytes: 1e12 }, nothing);
  expect(sent).toEqual([]);
});

test('G8.05 what an account stores is measured again after five seconds, or at once when it has changed', async () => {
  const { storage, sent, later, hold } = storageOver();
  hold(7);
  expect(await storage.latest(asOwner('ann'))).toEqual({ kinds: { runs: 7 }, bytes: 7 });
  hold(8);
  later(4_999);
  expect(await storage.latest(asOwner('ann'))).toMatchObject({ bytes: 7 });
  later(2);
  expect(await storage.latest(asOwner('ann'))).toMatchObject({ bytes: 8 });
  hold(3);
  storage.freed(asOwner('ann'));
  expect(await storage.latest(asOwner('ann'))).toMatchObject({ bytes: 3 });
  expect(sent.map(({ what }) => what)).toEqual(['measure', 'measure', 'measure']);
});

test('G8.05 a measurement is used for twenty times as long as it took', async () => {
  const { storage, sent, later } = storageOver({ measureMs: 1_000 });
  await storage.latest(asOwner('ann'));
  later(18_000);
  await storage.latest(asOwner('ann'));
  expect(sent).toHaveLength(1);
  later(2_000);
  await storage.latest(asOwner('ann'));
  expect(sent).toHaveLength(2);
});
