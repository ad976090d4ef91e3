import type { Agent } from '../../../contract/agent.ts';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { availableAgents } from '../agents/available-agents.ts';
import { cardOfAgent, contentOf, type PlacingContext, personAsking, type WantedAgent } from '../document/place-item.ts';
import type { PatternCard } from './pattern-shapes.ts';

type Card = Omit<CanvasNode, 'x' | 'y'>;

/** Cards without places. `unmatched`: titles of those without an agent; `wanted`: the agents that would match them. */
type PatternCards = { nodes: Card[]; unmatched: string[]; wanted: WantedAgent[] };

/**
 * Returns the cards of a pattern. A role that the account does not have is taken by another agent. `leadsOn`: the way out of a person has
 * a card behind it, and its button is the link's.
 */
export function patternCards(cards: readonly PatternCard[], context: PlacingContext, { leadsOn }: { leadsOn: boolean }): PatternCards {
  const free = availableAgents(context.agents, context.nodes);
  const made: PatternCards = { nodes: [], unmatched: [], wanted: [] };
  const withoutAgent = (agent: Agent, card: Omit<Card, 'id'>): Omit<Card, 'id'> => {
    made.unmatched.push(agent.title);
    made.wanted.push({ copyOf: agent.id });
    return card;
  };
  for (const { id: part, does } of cards) {
    const id = context.newId();
    const place = { id: part, x: 0, y: 0 };
    const content = contentOf(does === 'person' ? { ...place, type: 'person' } : { ...place, type: 'agent', agent: does }, free, context);
    let card: Omit<Card, 'id'>;
    if ('missing' in content) {
      const other = free.shift();
      card = other ? cardOfAgent(other) : withoutAgent(firstAgent(context), { ...cardOfAgent(firstAgent(context)), serverAgentId: id });
    } else card = 'unmatched' in content ? withoutAgent(content.unmatched, content.card(id)) : content.card(id);
    if (does === 'person' && !leadsOn) card.step = { person: personAsking(context.texts) };
    made.nodes.push({ id, ...card });
  }
  return made;
}

function firstAgent({ agents }: PlacingContext): Agent {
  const [id = ''] = agents.order;
  return agents.byId[id] as Agent;
}
