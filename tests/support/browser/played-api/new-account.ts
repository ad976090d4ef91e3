import { type Profile, passwordRule, type Session } from '../../../../contract/account.ts';
import { type Agent, modelDefaults, withoutServer } from '../../../../contract/agent.ts';
import type { Canvas, CanvasDocument } from '../../../../contract/canvas.ts';
import { operations } from '../../../../contract/operations/operations.ts';
import type { Project } from '../../../../contract/project.ts';
import { seedAccount } from '../../../../server/modules/onboarding/index.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';
import { agentOf, userId, uuid } from '../../engine/samples.ts';
import type { Language } from '../translate.ts';
import { type Answers, Refused } from './played-api.ts';

const now = '2026-11-20T10:00:00.000Z';
const mebibyte = 1024 * 1024;
const moments = { createdAt: now, updatedAt: now };

/** What an account has after its sign-up, as the server's own module makes it. A test may change it at any time. */
export type PlayedAccount = {
  profile: Profile;
  session: Session;
  agents: Agent[];
  projects: Project[];
  /** The canvas of each project, by its id. */
  canvases: Map<string, Canvas>;
};

export async function makeAccount(language: Language): Promise<PlayedAccount> {
  const profile: Profile = {
    id: userId,
    email: 'person@example.com',
    name: 'Person',
    emailVerified: true,
    isStaff: false,
    language,
    ...moments,
  };
  const account: PlayedAccount = {
    profile,
    session: {
      accessToken: tokenOf(profile),
      refreshToken: 'refresh',
      user: { id: userId, email: profile.email, name: profile.name, language },
    },
    ...{ agents: [], projects: [], canvases: new Map() },
  };
  await seedAccount(storesOf(account) as unknown as Parameters<typeof seedAccount>[0], null as never, asOwner(userId), language);
  return account;
}

/** The two services that the seed of an account writes with. */
function storesOf(account: PlayedAccount) {
  type Given = Pick<Agent, 'name' | 'title' | 'role' | 'description' | 'priority' | 'iconType'> & {
    temperature: number;
    configuration: { systemPrompt: string };
  };
  const createAll = async (_db: unknown, _userId: string, given: Given[]): Promise<Agent[]> => {
    account.agents = given.map(({ temperature, configuration, ...words }, place) =>
      agentOf(place + 1, words.name, words.role, {
        ...words,
        configuration: { ...configuration, plan: '' },
        apiConfiguration: { ...modelDefaults, ...withoutServer, temperature },
      }),
    );
    return account.agents;
  };
  const create = async (_db: unknown, _userId: string, words: Pick<Project, 'name' | 'description'>, canvas: CanvasDocument) => {
    addProject(account, words, canvas);
  };
  return { agents: { createAll }, projects: { create } };
}

/** Gives the account one more project. */
export function addProject(
  account: PlayedAccount,
  words: Pick<Project, 'name' | 'description'>,
  canvas: CanvasDocument = { nodes: {}, connections: {} },
): Project {
  const project = projectOf(words, account.projects.length + 1);
  account.projects.push(project);
  account.canvases.set(project.id, { ...canvas, version: 1 });
  return project;
}

/** The canvas of the project that the workspace opens first, as it was saved last. */
export function firstCanvas({ projects, canvases }: PlayedAccount): Canvas {
  const canvas = canvases.get(projects[0]?.id ?? '');
  if (!canvas) throw new Error('The account has no project.');
  return canvas;
}

function projectOf(words: Pick<Project, 'name' | 'description'>, number: number): Project {
  return { ...words, id: uuid(number, 8), status: 'active', isDemo: false, userId, branchesTogether: true, parallelSteps: 4, ...moments };
}

/** A token that the page reads. No server checks it. */
function tokenOf({ id, email, name }: Profile): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [part({ alg: 'none' }), part({ nameid: id, email, name, exp: Date.now() / 1_000 + 3_600 }), 'unsigned'].join('.');
}

/** The answers of a signed-in account that has done nothing yet: its projects and canvas can be edited, all else is empty. */
export function answersOf(account: PlayedAccount): Answers {
  return { ...accountAnswers(account), ...projectAnswers(account), ...emptyAnswers };
}

/** What a visitor's page asks. */
export const visitorAnswers: Answers = {
  'auth.config': () => ({
    registration: 'open',
    passwordRule,
    accessTokenMinutes: 60,
    realtime: 'off',
    runner: false,
  }),
  'health.get': () => operations['health.get'].example.response,
};

function accountAnswers({ profile, session }: PlayedAccount): Answers {
  return {
    ...visitorAnswers,
    'auth.profile': () => profile,
    'auth.updateProfile': ({ body: { currentPassword: _, ...change } }) => Object.assign(profile, change),
    'auth.refresh': () => session,
    'auth.logout': () => undefined,
  };
}

function projectAnswers(account: PlayedAccount): Answers {
  const projectBy = (id: string): Project => {
    const found = account.projects.find((project) => project.id === id || id === 'default');
    if (!found) throw new Refused('not_found');
    return found;
  };
  const canvasBy = (id: string) => account.canvases.get(projectBy(id).id) as Canvas;
  const save = (canvas: Canvas, baseVersion: number, change: () => void) => {
    if (baseVersion !== canvas.version) throw new Refused('canvas_stale');
    change();
    canvas.version += 1;
    return { version: canvas.version };
  };
  return {
    'project.list': () => account.projects,
    'project.get': ({ params }) => ({ ...projectBy(params.id), canvasVersion: canvasBy(params.id).version }),
    'project.create': ({ body }) => addProject(account, body),
    'project.canvas': ({ params }) => canvasBy(params.id),
    'project.patchCanvas': ({ params, body: { baseVersion, patches } }) => {
      const canvas = canvasBy(params.id);
      return save(canvas, baseVersion, () => {
        for (const patch of patches) {
          const records: Record<string, unknown> = canvas[patch.collection];
          if (patch.op === 'remove') delete records[patch.id];
          else records[patch.id] = patch.value;
        }
      });
    },
    'project.putCanvas': ({ params, body: { baseVersion, ...document } }) => {
      const canvas = canvasBy(params.id);
      return save(canvas, baseVersion, () => Object.assign(canvas, document));
    },
    'project.statistics': () => ({
      ...{ totalAgents: account.agents.length, activeAgents: account.agents.length, totalPipelines: 0, activePipelines: 0 },
      ...{ totalExecutions: 0, successfulExecutions: 0, failedExecutions: 0, averageExecutionTime: null, lastActivity: now },
    }),
    'agent.list': () => account.agents,
  };
}

/** What the workspace reads when it opens, and what its windows list. */
const emptyAnswers: Answers = {
  'health.version': () => ({ version: '0.1.0', newer: null }),
  'execution.list': () => [],
  'execution.byStatus': () => [],
  'question.list': () => [],
  'result.list': () => [],
  'command.history': () => [],
  'thought.ofProject': () => [],
  'trigger.list': () => [],
  'releasedTeam.list': () => [],
  'toolServer.list': () => [],
  'modelConnection.list': () => [],
  'modelConnection.local': () => [],
  'budget.list': () => ({ budgets: [], currencies: ['USD'] }),
  'budget.forecast': () => ({
    ...{ runs: 0, tokens: { min: 0, max: 0 }, activeMs: { min: 0, max: 0 }, money: [], total: { amounts: [] }, simulated: true },
  }),
  'storage.get': () => ({
    usedBytes: 0,
    limitBytes: 2_048 * mebibyte,
    state: 'calm',
    eventsKeptDays: 365,
    kinds: [],
    projects: { count: 1, limit: 500 },
    pipelines: { count: 0, limit: 10_000 },
  }),
};
