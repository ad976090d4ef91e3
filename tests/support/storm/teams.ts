import { expect } from 'vitest';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { ReleasedTeam } from '../../../contract/released-team.ts';
import type { CreatedTrigger, TriggerCreation } from '../../../contract/trigger.ts';
import type { RunAccount } from '../run-account.ts';

/** Releases a team of one assistant, or of a given pipeline, whose task names the piece of work. */
export async function releaseTeam(ann: RunAccount, slug: string, pipeline?: Pipeline): Promise<ReleasedTeam> {
  const { id: pipelineId } = pipeline ?? (await ann.pipeline('assistant'));
  const input = [{ kind: 'text', name: 'title' }];
  const release = { pipelineId, slug, title: slug, task: 'Work on {title}.', input, atOnce: 100 };
  const { status, body } = await ann.call<ReleasedTeam>('POST', '/project/default/released-teams', release);
  expect([status, body]).toMatchObject([201, {}]);
  return body;
}

/** Makes a trigger of a team, whose events wait for each other. */
export async function addTrigger(ann: RunAccount, team: ReleasedTeam, settings: TriggerCreation['settings']): Promise<CreatedTrigger> {
  const creation = { name: 'In', teamId: team.id, budget: { tokens: 100_000_000 }, settings, overlap: 'queue', graceSeconds: 86_400 };
  const { status, body } = await ann.call<CreatedTrigger>('POST', '/project/default/triggers', creation);
  expect([status, body]).toMatchObject([201, {}]);
  return body;
}
