import { expect, test, vi } from 'vitest';
import { useTriggers } from '../../../src/app/triggers/use-triggers.ts';
import { hookOn, type PlayedAnswers, refuse } from '../../support/played-data.ts';

vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));

const trigger = { id: 't', name: 'Nightly' };
const creation = { name: 'Nightly' } as Parameters<ReturnType<typeof useTriggers>['create']>[0];

/** The triggers of a project on a server that answers with these functions, and which of them is open. */
async function triggersOn(answers: PlayedAnswers) {
  let openId: string | null = null;
  const part = hookOn({ 'releasedTeam.list': () => [], ...answers }, () => useTriggers('p', openId));
  await expect.poll(() => part.get().list.loading).toBe(false);
  const open = (id: string | null) => {
    openId = id;
    part.again();
  };
  return { ...part, open };
}

test('L4.02 the secret of a new trigger is shown until it is removed; after a lost answer the trigger is in the list beside the problem', async () => {
  let listed: unknown[] = [];
  let create = (): unknown => {
    listed = [trigger];
    return { ...trigger, secret: 'whs_x' };
  };
  const { get } = await triggersOn({
    'trigger.list': () => listed,
    'trigger.create': () => create(),
    'trigger.remove': refuse('not_found'),
  });
  expect(await get().create(creation)).toMatchObject(trigger);
  expect(get()).toMatchObject({ secret: { triggerId: 't', secret: 'whs_x', earlierUntil: null }, list: { value: [trigger] } });
  listed = [];
  expect(await get().remove('t', () => {})).toBe(true);
  expect(get()).toMatchObject({ secret: null, list: { value: [] } });
  create = () => {
    listed = [trigger];
    return refuse('network')();
  };
  expect(await get().create(creation)).toBeNull();
  await expect.poll(() => get().list.value).toEqual([trigger]);
  expect(get()).toMatchObject({ secret: null, problem: { code: 'network' }, isBusy: false });
});

test('L4.02 what comes in while a trigger is open is shown without a press, and the list is read again behind it', async () => {
  let fires = 0;
  const part = await triggersOn({ 'trigger.list': () => [{ ...trigger, fires }], 'trigger.get': () => ({ ...trigger, fires }) });
  part.open('t');
  await expect.poll(() => part.get().details).toMatchObject({ fires: 0 });
  fires = 1;
  await expect.poll(() => part.get().details).toMatchObject({ fires: 1 });
  part.open(null);
  await expect.poll(() => part.get().list.value).toEqual([{ ...trigger, fires: 1 }]);
  expect(part.get().details).toBeNull();
});
