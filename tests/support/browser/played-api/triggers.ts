import type { GitTarget } from '../../../../contract/executions/publishing.ts';
import { operations } from '../../../../contract/operations/operations.ts';
import type { ReleasedTeam } from '../../../../contract/released-team.ts';
import { type ForgeState, shownInstants, type Trigger, type TriggerDetails } from '../../../../contract/trigger.ts';
import { outlookOf } from '../../../../server/platform/work-queue/pg-boss/schedule-instants.ts';
import { uuid } from '../../engine/samples.ts';
import { type Answers, Refused } from './played-api.ts';

const sample = operations['trigger.create'].example.response;
const [sampleTeam] = operations['releasedTeam.list'].example.response as [ReleasedTeam];
const team: ReleasedTeam = {
  ...sampleTeam,
  ...{ title: 'Дежурные', task: 'Разберись: {title}' },
  input: [{ kind: 'text', name: 'title', title: 'Заголовок', isOptional: false }],
};

/** The answers of a project with a released team that has the field `title`: its triggers and its repository can be edited. */
export function answersOfTriggers(): Answers {
  const triggers: Trigger[] = [];
  let target: GitTarget | null = null;
  const find = (id: string): Trigger => {
    const found = triggers.find((trigger) => trigger.id === id);
    if (!found) throw new Refused('not_found');
    return found;
  };
  const change = (id: string, changes: Partial<Trigger>): Trigger => Object.assign(find(id), changes);
  return {
    'releasedTeam.list': () => [team],
    'releasedTeam.get': () => ({ ...team, releases: [team.live], calls: [], costOfRun: null }),
    'trigger.list': () => triggers,
    'trigger.preview': ({ query: { cron, zone } }) => outlook(cron, zone),
    'trigger.create': async ({ body: { budget, overlap, ...given } }) => {
      const { settings } = given;
      const made: Trigger = {
        ...sample,
        ...given,
        id: uuid(triggers.length + 1, 7),
        kind: settings.kind,
        team: { id: team.id, slug: team.slug, title: team.title },
        overlap: overlap ?? 'skip',
        budget: sample.budget && { ...sample.budget, ...budget },
        nextAt: settings.kind === 'schedule' ? ((await outlook(settings.cron, settings.zone)).next[0] ?? null) : null,
        address: settings.kind === 'schedule' ? null : `https://artel.example/api/hooks/${triggers.length + 1}`,
        forge: settings.kind === 'forge' ? forgeOf(target) : null,
      };
      triggers.push(made);
      return { ...made, secret: settings.kind === 'schedule' ? null : 'whsec_c2VjcmV0' };
    },
    'trigger.get': ({ params }) => detailsOf(find(params.triggerId)),
    'trigger.update': ({ params, body: { isOn } }) =>
      change(params.triggerId, isOn ? { pausedAt: null, pausedReason: null } : { pausedAt: sample.createdAt, pausedReason: 'owner' }),
    'trigger.remove': ({ params }) => void triggers.splice(triggers.indexOf(find(params.triggerId)), 1),
    'project.gitTarget': () => ({ target }),
    'project.putGitTarget': ({ body: { token, prefix = '', author = null, signsOff = false, paths = [], ...given } }) => {
      const known = token === undefined ? (target?.tokenLast4 ?? null) : (token?.slice(-4) ?? null);
      target = { ...given, prefix, author, signsOff, paths, hasToken: known !== null, tokenLast4: known, updatedAt: sample.createdAt };
      return { target };
    },
  };
}

/** By the server's own clock of schedules. */
async function outlook(cron: string, zone: string): Promise<{ next: string[]; firesADay: number }> {
  const found = await outlookOf({ cron, zone }, { from: new Date(), count: shownInstants }).catch(() => {
    throw new Refused('bad_request', { errors: [{ path: 'cron', message: '' }] });
  });
  return { next: found.next.map((at) => at.toISOString()), firesADay: found.firesADay };
}

async function detailsOf(trigger: Trigger): Promise<TriggerDetails> {
  const { settings, pausedAt } = trigger;
  const { next, firesADay } =
    settings.kind === 'schedule' && pausedAt === null ? await outlook(settings.cron, settings.zone) : { next: [], firesADay: null };
  return { ...trigger, next, firesADay, fires: [], costOfRun: null, threads: [] };
}

function forgeOf(target: GitTarget | null): ForgeState {
  const forge = target === null || target.forge === 'none' ? null : target.forge;
  return { url: target?.url ?? null, forge, login: null, readAt: null, problem: null, problemText: null, waitsUntil: null };
}
