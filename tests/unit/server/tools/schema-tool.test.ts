import { expect, test } from 'vitest';
import { z } from 'zod';
import { readEarlierResult } from '../../../../server/modules/executions/tools/read-earlier-result.ts';
import { toolsForFiles } from '../../../../server/modules/tools/files/file-tools.ts';
import type { ToolStep } from '../../../../server/modules/tools/run-tool.ts';
import { schemaTool } from '../../../../server/modules/tools/schema-tool.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

const about = { name: 'count', description: '', effect: 'read', source: 'files', policy: 'auto' } as const;
const ofStep: ToolStep = {
  ...{ userId: asOwner('u'), projectId: 'p', agentId: 'a', executionId: 'e', language: 'en', hasFiles: true, hasServerTools: false },
  ...{ fileAccess: 'write', runsTests: true, fetchHosts: [], teamVersionId: null },
};

test('C1.04 the schema of arguments is made once for all steps, and as another one for other arguments', () => {
  let made = 0;
  const counted = z.any();
  counted._zod.toJSONSchema = () => {
    made += 1;
    return { type: 'string' };
  };
  const [ours, others] = [z.object({ counted }), z.object({ other: z.number() })];
  const toolsOfStep = () => [
    schemaTool(about, ours, async () => ({ ok: true, text: '' })),
    schemaTool(about, others, async () => ({ ok: true, text: '' })),
  ];
  const steps = Array.from({ length: 5 }, toolsOfStep);
  expect(made).toBe(1);
  for (const [one, other] of steps) {
    expect(one?.parameters).toEqual({ type: 'object', properties: { counted: { type: 'string' } }, required: ['counted'] });
    expect(other?.parameters).toEqual({ type: 'object', properties: { other: { type: 'number' } }, required: ['other'] });
  }
});

test('C1.04 the tools of two steps share the schemas of their arguments', async () => {
  const toolsOfStep = async () => [
    ...(await toolsForFiles({} as Parameters<typeof toolsForFiles>[0], {} as Parameters<typeof toolsForFiles>[1]).toolsFor(ofStep)),
    readEarlierResult([], 'en'),
  ];
  const [first, second] = [await toolsOfStep(), await toolsOfStep()];
  expect(first.map(({ name }) => name)).toContain('move_file');
  for (const [at, { parameters }] of first.entries()) expect(second[at]?.parameters).toBe(parameters);
});
