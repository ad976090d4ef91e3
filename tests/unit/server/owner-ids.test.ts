import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { may, type Role, roles } from '../../../contract/members.ts';
import type { Need } from '../../../contract/needs.ts';

const root = join(import.meta.dirname, '../../..');

/** Where the id of an account becomes that of an owner, and why it may there. Everywhere else the compiler refuses a person's id in the place of an owner's. */
const places: Record<string, string> = {
  'server/create-services.ts': 'a new account gets its first project',
  'server/http/call.ts': 'a person works with the own records',
  'server/http/mount.ts': 'every call of the API is decided here',
  'server/modules/accounts/export/export-links.ts': 'a signed link names the account that it exports',
  'server/modules/api-keys/service.ts': 'a key belongs to the owner of what it reaches',
  'server/modules/executions/forks/stop-left-trials.ts': 'a row of a run names its owner',
  'server/modules/hooks/due-emails.ts': 'a row of a project names its owner',
  'server/modules/realtime/sockets.ts': 'a socket follows the own runs',
  'server/modules/released-teams/mcp/serve-mcp.ts': 'a key belongs to the owner of what it reaches',
  'server/modules/triggers/fires.ts': 'a trigger runs for the owner of its project',
};

test('R15.01 the id of a person becomes that of an owner in a few named places alone', () => {
  const makes = /\b(?:asOwner|ofOwnAccount)\(|\bas OwnerId\b/;
  const found = globSync('server/**/*.ts', { cwd: root }).filter((file) => makes.test(readFileSync(join(root, file), 'utf8')));
  expect(found.filter((file) => file !== 'server/platform/owner-id.ts').sort()).toEqual(Object.keys(places).sort());
});

test('K2.02 a role has the rights of the one below it, and only the owner decides what is the project’s', () => {
  const rights: Record<Role, Need[]> = {
    owner: ['read', 'run', 'answer', 'edit', 'own', 'account'],
    editor: ['read', 'run', 'answer', 'edit', 'account'],
    answerer: ['read', 'answer', 'account'],
    viewer: ['read', 'account'],
  };
  for (const role of roles) expect([role, rights.owner.filter((need) => may(role, need))]).toEqual([role, rights[role]]);
});
