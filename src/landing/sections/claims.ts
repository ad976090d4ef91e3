/** The figures of the landing page. Every text takes them from here. */
export const claims = {
  /** Percent. */
  fasterToMarket: 70,
  moreTimeForNew: 25,
  inView: 100,
  /** The demo takes less. */
  demoSeconds: 60,
  /** The days within which a demo request is answered. */
  replyDays: { from: 1, to: 2 },
  /** Of a new account, of its seven. */
  agentsOnCanvas: 6,
  /** The operator's setting; without it the page does not mention a beta. */
  betaSpots: countOf(import.meta.env.VITE_BETA_SPOTS),
} as const;

export type Integration = { key: 'code' | 'tools' | 'tests' | 'api' | 'issues' | 'chats' | 'design'; ready: boolean };

/** Missing features are called planned. */
export const integrations: readonly Integration[] = [
  { key: 'code', ready: true },
  { key: 'tools', ready: true },
  { key: 'tests', ready: true },
  { key: 'issues', ready: true },
  { key: 'api', ready: true },
  { key: 'chats', ready: false },
  { key: 'design', ready: false },
];

function countOf(setting: unknown): number | null {
  const count = Number(setting);
  return Number.isInteger(count) && count > 0 ? count : null;
}
