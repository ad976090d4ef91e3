import { loopRounds } from './executions/link-values.ts';
import type { LinkSettings } from './executions/run-graph.ts';

/** The menu keys of a new account's agents, with the role each one has. */
export const teamRoles = {
  'prod-mgr': 'ProductManager',
  'proj-mgr': 'ProjectManager',
  'team-lead': 'TechnicalArchitect',
  developer: 'Developer',
  qa: 'QA',
  analyst: 'BusinessAnalyst',
  assistant: 'assistant',
} as const;
export type TeamKey = keyof typeof teamRoles;

/** One node of a template: an agent by its menu key, or a trigger. World px relative to the flow's position. */
export type FlowNode =
  | { id: string; type: 'agent'; agent: TeamKey; x: number; y: number }
  | { id: string; type: 'dialog' | 'start'; x: number; y: number }
  /** The card of a user that asks a person. */
  | { id: string; type: 'person'; x: number; y: number };

/** A link of a template. `case`: its label, a text of the locales. */
export type FlowLink = { from: string; to: string; case?: FlowCase; run?: Omit<LinkSettings, 'label'> };
export type FlowCase = 'accepted' | 'rework' | 'approve' | 'change' | 'simple' | 'complex';

export type FlowTemplate = {
  id: string;
  titleKey: string;
  agents: readonly FlowNode[];
  connections: readonly FlowLink[];
  isDemo: boolean;
  /** Its branches run together: placed on a canvas without agents, it switches the project over. */
  isParallel?: true;
};

/** Columns leave 70 px for a link, rows 84 px for a backward link. The dialog's port is level with its neighbour's. */
export const fullCycleFlow: FlowTemplate = {
  id: 'full-cycle',
  titleKey: 'flow.fullCycle',
  agents: [
    { id: 'dialog', type: 'dialog', x: 0, y: 0 },
    { id: 'assistant', type: 'agent', agent: 'assistant', x: 350, y: 40 },
    { id: 'product', type: 'agent', agent: 'prod-mgr', x: 700, y: 40 },
    { id: 'project', type: 'agent', agent: 'proj-mgr', x: 1050, y: 40 },
    { id: 'lead', type: 'agent', agent: 'team-lead', x: 350, y: 320 },
    { id: 'developer', type: 'agent', agent: 'developer', x: 700, y: 320 },
    { id: 'qa', type: 'agent', agent: 'qa', x: 1050, y: 320 },
  ],
  connections: chain('dialog', 'assistant', 'product', 'project', 'lead', 'developer', 'qa'),
  isDemo: false,
};

export const quickFixFlow: FlowTemplate = {
  id: 'quick-fix',
  titleKey: 'flow.quickFix',
  agents: [
    { id: 'dialog', type: 'dialog', x: 0, y: 0 },
    { id: 'lead', type: 'agent', agent: 'team-lead', x: 350, y: 40 },
    { id: 'developer', type: 'agent', agent: 'developer', x: 700, y: 40 },
    { id: 'qa', type: 'agent', agent: 'qa', x: 1050, y: 40 },
  ],
  connections: chain('dialog', 'lead', 'developer', 'qa'),
  isDemo: false,
};

/**
 * A tester returns the developer's work until its tests pass, three times at most; where none are executed, until the tester accepts it. A person approves
 * it or returns it, and the assistant reports.
 */
export const featureReviewFlow: FlowTemplate = {
  id: 'feature-review',
  titleKey: 'flow.featureReview',
  agents: [
    { id: 'dialog', type: 'dialog', x: 0, y: 0 },
    { id: 'developer', type: 'agent', agent: 'developer', x: 350, y: 40 },
    { id: 'qa', type: 'agent', agent: 'qa', x: 700, y: 40 },
    // A link with a label needs 120 px between its cards.
    { id: 'person', type: 'person', x: 1100, y: 40 },
    { id: 'assistant', type: 'agent', agent: 'assistant', x: 1500, y: 40 },
  ],
  connections: [
    ...chain('dialog', 'developer', 'qa'),
    { from: 'qa', to: 'person', case: 'accepted', run: { test: { is: 'testsPass', value: '' } } },
    { from: 'person', to: 'assistant', case: 'approve' },
    { from: 'person', to: 'developer', case: 'change', run: { maxRounds: loopRounds } },
    { from: 'qa', to: 'developer', case: 'rework', run: { maxRounds: loopRounds, test: { is: 'testsFail', value: '' } } },
  ],
  isDemo: false,
};

/** Three agents look at the task side by side, each from its own field, and the assistant joins what they found. */
const parallelResearchFlow: FlowTemplate = {
  id: 'parallel-research',
  titleKey: 'flow.parallelResearch',
  agents: [
    { id: 'dialog', type: 'dialog', x: 0, y: 240 },
    { id: 'analyst', type: 'agent', agent: 'analyst', x: 350, y: 0 },
    { id: 'product', type: 'agent', agent: 'prod-mgr', x: 350, y: 280 },
    { id: 'lead', type: 'agent', agent: 'team-lead', x: 350, y: 560 },
    { id: 'assistant', type: 'agent', agent: 'assistant', x: 700, y: 280 },
  ],
  connections: ['analyst', 'product', 'lead'].flatMap((id) => chain('dialog', id, 'assistant')),
  isDemo: false,
  isParallel: true,
};

/** The flows of the demonstration. */
export const flowTemplates: readonly FlowTemplate[] = [fullCycleFlow, quickFixFlow];

/** The flows of a project. */
export const projectFlows: readonly FlowTemplate[] = [...flowTemplates, featureReviewFlow, parallelResearchFlow];

function chain(...ids: string[]): { from: string; to: string }[] {
  return ids.slice(1).map((to, index) => ({ from: ids[index] as string, to }));
}
