import type { DemoAgentKey } from './demo-team.ts';

/** What each agent takes for its message, and what passes from the last message to the end (ms). W4.16 */
export const demoStepMs = 2_000;
export const demoEndMs = 1_000;
/** How often more of a message is shown while it is written (ms). */
export const demoWordsMs = 250;

export type DemoLine = {
  agent: DemoAgentKey;
  promptTokens: number;
  completionTokens: number;
  /** Names of the files that the message hands over. */
  files: readonly string[];
};

/** Who speaks in which order, and what of; the words are in the locales under the agent's key. */
export const demoScript: readonly DemoLine[] = [
  { agent: 'assistant', promptTokens: 760, completionTokens: 360, files: [] },
  { agent: 'product', promptTokens: 2_510, completionTokens: 970, files: [] },
  { agent: 'project', promptTokens: 2_140, completionTokens: 820, files: [] },
  { agent: 'lead', promptTokens: 2_980, completionTokens: 1_230, files: ['api/orders-export.yaml'] },
  { agent: 'frontend', promptTokens: 2_260, completionTokens: 1_080, files: ['web/orders/export-dialog.tsx', 'web/orders/use-export.ts'] },
  {
    agent: 'backend',
    promptTokens: 2_190,
    completionTokens: 1_120,
    files: ['server/orders/export-orders.ts', 'server/orders/export-job.ts', 'server/orders/export-orders.test.ts'],
  },
];
