/** The figures that the page promises; their words are texts. A figure is changed here and nowhere else. */
export const claims = {
  /** Percent. */
  fasterToMarket: 70,
  moreTimeForNew: 25,
  inView: 100,
  /** The demo takes less. */
  demoSeconds: 60,
  /** Within how many days a request for a demo is answered. */
  replyDays: { from: 1, to: 2 },
  /** The operator's setting; without it nothing is said of a beta. */
  betaSpots: countOf(import.meta.env.VITE_BETA_SPOTS),
} as const;

export type Integration = { key: 'code' | 'issues' | 'chats' | 'design' | 'api'; ready: boolean };

/** What is not there yet is called planned. */
export const integrations: readonly Integration[] = [
  { key: 'code', ready: false },
  { key: 'issues', ready: false },
  { key: 'chats', ready: false },
  { key: 'design', ready: false },
  { key: 'api', ready: true },
];

function countOf(setting: unknown): number | null {
  const count = Number(setting);
  return Number.isInteger(count) && count > 0 ? count : null;
}
