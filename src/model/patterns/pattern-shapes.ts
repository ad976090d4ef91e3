import { loopRounds } from '../../../contract/executions/link-values.ts';
import type { FlowCase, TeamKey } from '../../../contract/flow-templates.ts';
import type { PatternId } from './pattern-ids.ts';

/** What a pattern is placed behind: an agent that can do the pattern's first work, a person, or anything else. */
export type Lead = 'agent' | 'person' | 'other';

/** The name of the card that a pattern is placed behind, at the ends of its links. */
export const leadId = 'lead';

/** `column`, `row`: its place, row 0 level with the card before. `isItem`: it stands in a group that works through a list. */
export type PatternCard = { id: string; does: TeamKey | 'person'; column: number; row: number; isItem?: true };
type PatternLink = { from: string; to: string; case?: FlowCase; maxRounds?: number };

export type PatternShape = {
  cards: PatternCard[];
  links: PatternLink[];
  /** The ways on: to the card that is behind the pattern. */
  exits: { from: string; case?: FlowCase }[];
  /** Stands behind the pattern where no other card does, since the pattern needs one there. */
  end?: PatternCard;
};

/** Returns the cards and links of a pattern. An agent that it is placed behind takes the part of its first card. */
export function patternShape(id: PatternId, lead: Lead): PatternShape {
  switch (id) {
    case 'review': {
      const { worker, cards, links, column } = withWorker(lead, 'developer');
      return {
        cards: [...cards, { id: 'reviewer', does: 'qa', column, row: 0 }],
        links: [...links, { from: worker, to: 'reviewer' }, { from: 'reviewer', to: worker, case: 'rework', maxRounds: loopRounds }],
        exits: [{ from: 'reviewer', case: 'accepted' }],
        end: { id: 'end', does: 'assistant', column: column + 1, row: 0 },
      };
    }
    case 'choice': {
      const { worker, cards, links, column } = withWorker(lead, 'analyst');
      return {
        cards: [...cards, { id: 'simple', does: 'assistant', column, row: -0.5 }, { id: 'complex', does: 'developer', column, row: 0.5 }],
        links: [...links, { from: worker, to: 'simple', case: 'simple' }, { from: worker, to: 'complex', case: 'complex' }],
        exits: [{ from: 'simple' }, { from: 'complex' }],
      };
    }
    case 'forEach': {
      // A person's answer need not be a list, and the task of a dialog is one.
      const { worker, cards, links, column } = lead === 'person' ? withWorker(lead, 'analyst') : withoutWorker;
      return {
        cards: [...cards, { id: 'item', does: 'developer', column, row: 0, isItem: true }],
        links: [...links, { from: worker, to: 'item' }],
        exits: [{ from: 'item' }],
      };
    }
    case 'person': {
      const { worker, cards, links, column } = withWorker(lead, 'assistant');
      return {
        cards: [...cards, { id: 'person', does: 'person', column, row: 0 }],
        links: [...links, { from: worker, to: 'person' }, { from: 'person', to: worker, case: 'change', maxRounds: loopRounds }],
        exits: [{ from: 'person', case: 'approve' }],
      };
    }
    case 'parallel':
      return {
        cards: [
          { id: 'first', does: 'analyst', column: 0, row: -0.5 },
          { id: 'second', does: 'team-lead', column: 0, row: 0.5 },
          { id: 'join', does: 'assistant', column: 1, row: 0 },
        ],
        links: ['first', 'second'].flatMap((branch) => [
          { from: leadId, to: branch },
          { from: branch, to: 'join' },
        ]),
        exits: [{ from: 'join' }],
      };
  }
}

type Worker = Pick<PatternShape, 'cards' | 'links'> & { worker: string; column: number };

const withoutWorker: Worker = { worker: leadId, cards: [], links: [], column: 0 };

function withWorker(lead: Lead, does: TeamKey): Worker {
  if (lead === 'agent') return withoutWorker;
  return { worker: 'worker', cards: [{ id: 'worker', does, column: 0, row: 0 }], links: [{ from: leadId, to: 'worker' }], column: 1 };
}
