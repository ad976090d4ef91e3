import { expect, test } from 'vitest';
import { readPlan } from '../../../../server/modules/executions/store/new-execution.ts';
import type { Plan } from '../../../../server/modules/pipelines/index.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

/** A pipeline whose team has this version only, and no version as it is now. */
function stored(version: string) {
  const planOf = (systemPrompt: string, teamVersionId: string | null) =>
    ({
      id: 'p',
      projectId: 'x',
      status: 'active',
      steps: [{ agentId: 'a' }],
      agents: [{ id: 'a', systemPrompt }],
      teamVersionId,
    }) as unknown as Plan;
  const made: (readonly string[] | undefined)[] = [];
  return {
    made,
    pipelines: {
      plan: async (_user: string, _id: string, wanted?: string | null) =>
        wanted === version ? planOf('As stored.', version) : planOf('Edited meanwhile.', null),
    },
    teams: {
      ensureNow: async (_project: string, _user: string, agentIds?: readonly string[]) => {
        made.push(agentIds);
        return { id: version, number: 1 };
      },
      assertWhole: async () => {},
    },
  };
}

test('a team that is edited between its version and the start runs as in the version', async () => {
  const deps = stored('v1');
  const plan = await readPlan(deps, asOwner('ann'), 'p');
  expect(plan).toMatchObject({ teamVersionId: 'v1', agents: [{ systemPrompt: 'As stored.' }] });
  expect(deps.made).toEqual([['a']]);
});

test('a start with a version of another project is refused, and makes no version', async () => {
  const deps = stored('v1');
  await expect(readPlan(deps, asOwner('ann'), 'p', 'v2')).rejects.toMatchObject({ code: 'not_found' });
  expect(deps.made).toEqual([]);
});
