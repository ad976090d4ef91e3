import type { Agent } from '../../contract/agent.ts';
import { agentStatuses } from '../../contract/agent-statuses.ts';
import type { CanvasDocument, CanvasNode } from '../../contract/canvas.ts';
import { CheckedDocument } from '../../rules/checked-document.ts';
import { planPipeline } from '../../src/model/run/plan/pipeline-plan.ts';
import { compareDocuments } from '../../src/model/versions/comparison.ts';

/** A computation of the engine over a whole canvas: its durations (ms), and its limit. */
export type RuleTimes = { name: string; limitMs: number; times: number[] };

/** A model that calls tools, so that no agent is warned of. */
const apiConfiguration = { providerType: 'openai', model: 'gpt-4o', mayGoWithoutTools: false };

/** Times the checks of a canvas and the making of its pipeline, `samples` times each, taking turns. */
export function timeRules(document: CanvasDocument, samples: number): RuleTimes[] {
  const agents = Object.values(document.nodes).map(
    ({ serverAgentId }) => ({ id: serverAgentId ?? '', name: '', title: '', status: agentStatuses.active, apiConfiguration }) as Agent,
  );
  const ids = Object.keys(document.nodes);
  const wholeCheck = () => new CheckedDocument(agents, Object.entries(document.nodes), Object.entries(document.connections));
  const edited = wholeCheck();
  const earlier = earlierVersion(document);
  const work = [
    { name: 'check all of a canvas', limitMs: 40, run: () => void wholeCheck().problems() },
    {
      name: 'check after one edit',
      limitMs: 2,
      run: (sample: number) => {
        const id = ids[(sample * 7_919) % ids.length] as string;
        edited.check([[id, { ...(document.nodes[id] as CanvasNode), title: sample % 2 === 0 ? '' : 'Agent' }]], []);
        edited.problems(200);
      },
    },
    { name: 'compare all cards with a version in which each differs', limitMs: 200, run: () => void compareDocuments(earlier, document) },
    { name: 'pipeline from a canvas', limitMs: 60, run: () => void planPipeline(document, agents, null) },
  ];
  const timed = work.map(({ name, limitMs, run }) => ({ name, limitMs, run, times: [] as number[] }));
  for (let sample = -5; sample < samples; sample += 1) {
    for (const { run, times } of timed) {
      const from = performance.now();
      run(sample + 5);
      if (sample >= 0) times.push(performance.now() - from);
    }
  }
  return timed.map(({ name, limitMs, times }) => ({ name, limitMs, times }));
}

/** The same canvas with every card changed or only moved, and half of the links under other ids. */
function earlierVersion({ nodes, connections }: CanvasDocument): CanvasDocument {
  const cards = Object.values(nodes).map((node, at) => ({
    ...node,
    ...(at % 2 === 0 ? { x: node.x + 40 } : { description: `Earlier ${node.description}` }),
  }));
  const links = Object.values(connections).map((link, at) =>
    at % 2 === 0 ? structuredClone(link) : { ...link, id: `earlier-${link.id}` },
  );
  return {
    nodes: Object.fromEntries(cards.map((node) => [node.id, node])),
    connections: Object.fromEntries(links.map((link) => [link.id, link])),
  };
}
