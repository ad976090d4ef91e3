import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { Hooks } from '../../../../server/modules/hooks/service.ts';
import { PushDevices } from '../../../../server/modules/push/devices.ts';
import { TelegramChats } from '../../../../server/modules/telegram/chats.ts';
import { Triggers } from '../../../../server/modules/triggers/service.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

const lost = 'Connection terminated unexpectedly';
const user = { ownerId: asOwner('018f0000-0000-7000-8000-000000000001'), sessionId: '018f0000-0000-7000-8000-000000000002' };
const project = '018f0000-0000-7000-8000-000000000003';
const settings = { forge: { kind: 'forge', fields: {} }, webhook: { kind: 'webhook', scheme: 'bearer', fields: {} } } as const;

/** Dependencies with a database that loses the reply to each commit, and what the work queue was told. `row`: what each read returns. */
function createDeps(row: object = {}) {
  const told: string[] = [];
  const tell = (call: string) => (queue: string) => void told.push(`${call} ${queue}`);
  const deps = {
    db: {
      transaction: async () => {
        throw new Error(lost);
      },
      select: () => ({ from: () => ({ where: async () => [row] }) }),
    },
    queue: { markInUse: tell('markInUse'), noteUse: tell('noteUse'), wake: tell('wake') },
    ...{ now: () => new Date(), resolveProject: async () => project, isHostAllowed: async () => true },
    teams: { get: async () => ({ input: [] }), list: async () => [] },
    ...{ budgets: { ofAccount: async () => new Map() }, targetOf: async () => ({}) },
  };
  return { deps: deps as never, told };
}

test('K6.08 a hook, a browser and a chat get deliveries also if the reply to the commit that added them was lost', async () => {
  const { deps, told } = createDeps();
  const curve = createECDH('prime256v1');
  const keys = { p256dh: curve.generateKeys('base64url'), auth: 'AAAAAAAAAAAAAAAAAAAAAA' };
  await expect(new Hooks(deps).create(user.ownerId, project, { url: 'https://example.com/', events: [] } as never)).rejects.toThrow(lost);
  expect(told.splice(0)).toEqual(['markInUse delivery']);
  await expect(new PushDevices(deps).add(user, { endpoint: 'https://example.com/', keys, name: 'Phone' })).rejects.toThrow(lost);
  expect(told.splice(0)).toEqual(['markInUse delivery']);
  const opened = { chatId: 1, name: 'Ann', isConfirmed: false };
  await expect(new TelegramChats(deps).bind('code', opened, async () => {})).rejects.toThrow(lost);
  expect(told).toEqual(['markInUse delivery']);
});

test.each([
  ['forge', 'forge'],
  ['webhook', 'trigger'],
] as const)('K6.08 a %s trigger whose commit has lost its reply is looked for', async (kind, queue) => {
  const { deps, told } = createDeps({ kind, settings: settings[kind], pausedAt: null, teamId: null });
  const triggers = new Triggers(deps);
  const given = { name: 'One', teamId: project, settings: settings[kind] };
  await expect(triggers.create(user as never, project, given as never, 'en', async () => {})).rejects.toThrow(lost);
  expect(told.splice(0)).toEqual(['markInUse trigger', 'noteUse trigger', `wake ${queue}`]);
  const key = { userId: user.ownerId, project, triggerId: project };
  await expect(triggers.update(key, { name: 'Two' } as never, 'en')).rejects.toThrow(lost);
  expect(told).toEqual(['noteUse trigger', `wake ${queue}`]);
});
