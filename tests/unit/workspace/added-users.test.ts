import { expect, test } from 'vitest';
import texts from '../../../locales/en/content/nodes.json' with { type: 'json' };
import { type AddedUser, AddedUsers } from '../../../src/app/workspace/frame/added-users.ts';
import { userMenu } from '../../../src/app/workspace/sidebar/user-menu.ts';
import { nodeHue } from '../../../src/model/agents/roles.ts';
import { placeItem } from '../../../src/model/document/place-item.ts';

const maria: AddedUser = { id: 'user-1', name: 'Мария', role: 'tester', hue: 'violet' };
const ivan: AddedUser = { id: 'user-2', name: 'Иван', role: 'developer', hue: 'teal' };

function memory(items = new Map<string, string>()) {
  return { items, getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, value: string) => void items.set(key, value) };
}

test('R30.01 people who were added are there after a reload, in their own project', () => {
  const storage = memory();
  const users = new AddedUsers(storage, 'p1');
  users.add(maria);
  users.add(ivan);
  expect(new AddedUsers(storage, 'p1').get()).toEqual([maria, ivan]);
  expect(new AddedUsers(storage, 'p2').get()).toEqual([]);
  users.remove(maria.id);
  expect(new AddedUsers(storage, 'p1').get()).toEqual([ivan]);
});

test('R30.01 every change is told, and what did not change is the very same list', () => {
  const users = new AddedUsers(memory(), null);
  let told = 0;
  const stop = users.subscribe(() => told++);
  const before = users.get();
  expect(users.get()).toBe(before);
  users.add(maria);
  stop();
  users.add(ivan);
  expect([told, users.get().length]).toEqual([1, 2]);
});

test('R30.01 the menu works with a storage that refuses, and with invalid content in it', () => {
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const users = new AddedUsers({ getItem: refuse, setItem: refuse }, 'p1');
  users.add(maria);
  expect(users.get()).toEqual([maria]);
  for (const text of [
    '{',
    'null',
    '{"id":1}',
    '[{"id":"x","name":" ","role":"tester","hue":"blue"}]',
    '[{"id":"x","name":"y","role":"king"}]',
  ])
    expect(new AddedUsers(memory(new Map([['users:p1', text]])), 'p1').get()).toEqual([]);
});

test('R30.01 a user added in another tab is kept and shown in this one', () => {
  const storage = memory();
  const here = new AddedUsers(storage, 'p1');
  const there = new AddedUsers(storage, 'p1');
  there.add(maria);
  here.heard('users:p2');
  expect(here.get()).toEqual([]);
  here.add(ivan);
  expect(here.get()).toEqual([maria, ivan]);
  there.heard('users:p1');
  expect(there.get()).toEqual([maria, ivan]);
});

test('R30.01 a user that a full storage could not save stays in the menu through later changes', () => {
  let full = true;
  const storage = memory();
  const users = new AddedUsers(
    {
      getItem: storage.getItem,
      setItem: (key, value) => {
        if (full) throw new DOMException('full', 'QuotaExceededError');
        storage.setItem(key, value);
      },
    },
    'p1',
  );
  users.add(maria);
  full = false;
  users.add(ivan);
  expect(new AddedUsers(storage, 'p1').get()).toEqual([maria, ivan]);
});

test('R30.01 an added user comes last in the menu, once, until the user’s card is on the canvas', () => {
  const last = (placed: Map<string, number>) => userMenu(placed, [maria]).at(-1);
  expect(userMenu(new Map(), [maria])).toHaveLength(5);
  expect(last(new Map())).toEqual({ key: 'user-1', name: 'Мария', role: 'tester', hue: 'violet', count: 1 });
  expect(last(new Map([['user-1', 1]]))?.count).toBe(0);
});

test('R30.01 the card of an added user has the user’s name, role and colour', () => {
  const placed = placeItem(
    { kind: 'user', key: maria.id, title: maria.name, about: 'Тестировщик', hue: maria.hue },
    { x: 0, y: 0 },
    {
      nodes: {},
      agents: { byId: {}, order: [] },
      texts,
      newId: () => 'card',
    },
  );
  const node = placed.ok ? placed.value.nodes[0] : undefined;
  expect(node).toMatchObject({ title: 'Мария', name: 'user-1', description: 'Тестировщик', isUser: true });
  expect(node && nodeHue(node)).toBe('violet');
  expect(nodeHue({ type: 'agent', isUser: true, color: { background: 'red' } })).toBe('slate');
});

test('W2.11 the default users of every menu have different colours, in the menu and on a card', () => {
  const menu = userMenu(new Map(), []);
  expect(new Set(menu.map(({ hue }) => hue)).size).toBe(4);
  for (const { key, hue } of menu) expect(nodeHue({ type: 'agent', isUser: true, name: key })).toBe(hue);
});
