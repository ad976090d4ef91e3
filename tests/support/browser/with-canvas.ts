import { expect, type Page } from 'playwright/test';
import type { Agent } from '../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import { enterAs, signUp } from './enter-workspace.ts';
import { answersOf, firstCanvas, makeAccount } from './played-api/new-account.ts';
import type { PlayedApi } from './played-api/played-api.ts';
import { watchErrors } from './watch-errors.ts';
import { WorkspacePage } from './workspace-page.ts';

/** Calls the API with an access token. */
async function call<T>(page: Page, url: string, token: string, method: string, path: string, data?: unknown): Promise<T> {
  const answer = await page.request.fetch(`${url}/api${path}`, { method, data, headers: { Authorization: `Bearer ${token}` } });
  expect(answer.ok()).toBe(true);
  return (await answer.json()) as T;
}

const link = (from: string, to: string, run?: LinkSettings) => ({
  id: `conn-${from}-${to}`,
  ...(run && { run }),
  from: { agentId: from, port: 'out' as const },
  to: { agentId: to, port: 'in' as const },
});

type MakeNodes = (card: (index: number, id: string, y: number) => CanvasNode) => CanvasNode[];
type Link = [from: string, to: string, settings?: LinkSettings];

/** The canvas whose nodes `make` builds from these agents. */
function canvasOf(agents: readonly Agent[], make: MakeNodes, links: Link[]): CanvasDocument {
  const card = (index: number, id: string, y: number): CanvasNode => {
    const { id: serverAgentId, title, name, role } = agents[index] as Agent;
    return { id, type: 'agent', title, name, role, serverAgentId, color: { background: '#222', border: '#444' }, x: 360, y };
  };
  return {
    nodes: Object.fromEntries(make(card).map((node) => [node.id, node])),
    connections: Object.fromEntries(links.map(([from, to, settings]) => [`conn-${from}-${to}`, link(from, to, settings)])),
  };
}

/** Opens the workspace of a new account whose canvas is the one that `make` builds from its agents. */
export async function withCanvas(page: Page, url: string, make: MakeNodes, links: Link[]) {
  const thrown = watchErrors(page);
  const { session } = await signUp(page, url);
  const agents = await call<Agent[]>(page, url, session.accessToken, 'GET', '/nuroagent');
  const { version } = await call<CanvasDocument & { version: number }>(page, url, session.accessToken, 'GET', '/project/default/canvas');
  const canvas = canvasOf(agents, make, links);
  await call(page, url, session.accessToken, 'PUT', '/project/default/canvas', { ...canvas, baseVersion: version });
  await enterAs(page, url, session);
  const workspace = await new WorkspacePage(page).opened();
  return { workspace, thrown, agents };
}

/** Does the same without a server. */
export async function withPlayedCanvas(page: Page, api: PlayedApi, make: MakeNodes, links: Link[]) {
  const thrown = watchErrors(page);
  const account = await makeAccount('ru');
  Object.assign(firstCanvas(account), canvasOf(account.agents, make, links));
  api.answer(answersOf(account));
  await enterAs(page, api.url, account.session);
  const workspace = await new WorkspacePage(page).opened();
  return { workspace, thrown, account };
}

export const dialog = (id: string, title: string, y: number): CanvasNode => ({
  id,
  type: 'dialog',
  title,
  goal: `Goal of ${title}`,
  x: 0,
  y,
});
