import { expect } from 'vitest';
import type { RunAccount } from '../run-account.ts';
import type { ModelCall, Reply } from '../services/model-server.ts';

const team = ['assistant', 'prod-mgr', 'team-lead', 'developer', 'qa'];

/** What the models of these runs answer. */
export function answerOf({ body }: ModelCall): Reply {
  const offered = ((body.tools ?? []) as { function: { name: string } }[]).map(({ function: { name } }) => name);
  const callsOf = (calls: [string, object][]) =>
    calls.map(([name, args], at) => ({ id: `call_${at}`, name, arguments: JSON.stringify(args) }));
  if (offered.includes('send') && !body.messages.some(({ role }) => role === 'tool')) {
    const files: [string, object][] = [
      ['edit_file', { path: 'a.ts', old: 'first', new: 'second' }],
      ['read_file', { path: 'a.ts' }],
      ['write_file', { path: 'b.ts', content: 'moved' }],
      ['move_file', { from: 'b.ts', to: 'c.ts' }],
      ['delete_file', { path: 'd.ts' }],
      ['run_tests', {}],
    ];
    const sends: [string, object][] = [
      ['count', { text: 'once' }],
      ['send', { text: 'once' }],
    ];
    return { kind: 'calls', calls: callsOf(offered.includes('write_file') ? files : sends) };
  }
  if (offered.includes('send') && !offered.includes('write_file'))
    return { kind: 'text', text: 'Done\n\n```ts path=a.ts\nfirst\n```\n\n```ts path=d.ts\nfirst\n```' };
  const prompt = body.messages.map(({ content }) => content).join('\n');
  if (!prompt.includes('names exactly one of these')) return { kind: 'text', text: 'Done' };
  // The review rejects the first round and accepts the second, which is given the first.
  return { kind: 'text', text: `Choice: ${prompt.includes('Choice: rejected') ? 'accepted' : 'rejected'}` };
}

/** A kind of run that is killed. */
export type Kind = {
  name: string;
  pipeline: (ann: RunAccount) => Promise<{ id: string }>;
  /** Model calls, steps of persons, and how many steps are at work at the same time. */
  calls: number;
  persons: number;
  atOnce: number;
  /** Completed steps of agents, where they are not as many as the calls of models. */
  steps?: number;
  /** Questions about the room of a step. */
  rooms?: number;
  /** Its agents have scripted tools. */
  hasTools?: true;
};

export const chain: Kind = { name: 'chain', pipeline: (ann) => ann.pipeline(...team.slice(0, 4)), calls: 4, persons: 0, atOnce: 1 };

/** Two branches, one with a link that holds and a person's card, a join, and a review loop of two rounds before the last step. */
export const graph: Kind = {
  name: 'graph',
  pipeline: async (ann) => {
    const links = [
      ['assistant', 'prod-mgr'],
      ['assistant', 'team-lead'],
      ['prod-mgr', 'developer'],
      ['team-lead', 'person'],
      ['person', 'developer'],
      ['developer', 'qa'],
    ].map(([from, to]) => ({ id: `${from}-${to}`, from, to, ...(to === 'team-lead' && { hold: 'always' }) }));
    const answer = await ann.call<{ id: string }>('POST', '/Pipeline', {
      ...{ name: 'Graph', projectId: 'default', maxParallel: 4 },
      steps: [
        ...[...team, 'analyst'].map((name) => ({ name, agentId: ann.agent(name).id, nodeId: name })),
        { name: 'Ann', agentId: ann.agent('qa').id, nodeId: 'person', settings: { person: { question: 'Go on?' } } },
      ],
      links: [
        ...links,
        { id: 'back', from: 'qa', to: 'developer', label: 'rejected', maxRounds: 3 },
        { id: 'on', from: 'qa', to: 'analyst', label: 'accepted' },
      ],
    });
    expect(answer.status).toBe(201);
    return answer.body;
  },
  calls: 8,
  persons: 1,
  atOnce: 2,
};

/**
 * Two steps of two turns each. The first calls a tool that may be carried out once only, the second the tools for files and the tests. It has room for
 * one turn, so that it asks for as much again.
 */
export const tools: Kind = {
  ...{ name: 'chain with tools', calls: 4, steps: 2, persons: 0, rooms: 1, atOnce: 1, hasTools: true },
  pipeline: async (ann) => {
    await ann.call('PUT', '/project/default', { testCommand: 'cat a.ts c.ts' });
    const work = { runsTests: true, maxTurns: 1 };
    const set = await ann.call('PUT', `/nuroagent/${ann.agent('developer').id}/api-configuration`, { work });
    expect(set.status).toBe(200);
    return ann.pipeline('assistant', 'developer');
  },
};
