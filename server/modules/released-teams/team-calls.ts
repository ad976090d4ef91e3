import { Readable } from 'node:stream';
import type { z } from 'zod';
import { type Execution, executionStart } from '../../../contract/executions/execution.ts';
import type { Question, QuestionAnswer } from '../../../contract/executions/question.ts';
import {
  type CallableTeam,
  type FieldAuthor,
  fillTask,
  type GivenFile,
  inputJsonSchemaOf,
  inputSchemaOf,
  type TeamInput,
  type TeamQuestion,
  type TeamResult,
  type TeamRun,
  type teamRunStart,
} from '../../../contract/released-team.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language, Member, StoreIdempotentResponse } from '../../http/call.ts';
import { toApiError } from '../../http/failure.ts';
import { fieldText } from '../../http/field-text.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, eq, sql } from '../../platform/database/drizzle.ts';
import { lockByName } from '../../platform/database/owned-rows.ts';
import { isAnsweredByPrograms, type Runs, type WordSource } from '../executions/index.ts';
import type { FollowedRun, Inputs } from '../inputs/index.ts';
import type { TeamVersions } from '../team-versions/index.ts';
import { type LiveRelease, type ReleasedTeams, unknownTeam } from './service.ts';
import { type ReleasedTeamRow, releasedTeams, teamRuns } from './tables.ts';

type TeamCallsDeps = {
  db: Db;
  now: () => Date;
  teams: ReleasedTeams;
  inputs: Pick<Inputs, 'createForStart' | 'putFile' | 'addRepository' | 'follow' | 'discard'>;
  versions: Pick<TeamVersions, 'assertWhole'>;
  runs: Pick<Runs, 'executions' | 'questions' | 'files'>;
  address: () => string;
};

/** `words`: where the words of a call come from; unless given, the release says it. */
type TeamCaller = { user: Member; language: Language; signal: AbortSignal; words?: WordSource };
/** `files`: files of the run that no field names. `added`: a text after its task. `follows`: the published run whose branch it goes on with. */
export type AskedCall = z.output<typeof teamRunStart> & { files?: readonly GivenFile[]; added?: string; follows?: FollowedRun };
type CalledRelease = { team: ReleasedTeamRow; release: number };
type Git = z.output<typeof teamRunStart>['git'];
type LiveCall = { team: ReleasedTeamRow; live: LiveRelease; task: string };

/** The longest task of a run (UTF-16 units). */
const maxTaskLength = 100_000;
const unended: ReadonlySet<Execution['status']> = new Set(['pending', 'running', 'paused']);

/** The calls of programs to released teams: starts of runs, and what becomes of them. */
export class TeamCalls {
  readonly #deps: TeamCallsDeps;

  constructor(deps: TeamCallsDeps) {
    this.#deps = deps;
  }

  async get(user: Member, slug: string): Promise<CallableTeam> {
    const { team, live } = await this.#deps.teams.bySlug(user.ownerId, slug, user.key?.projectId);
    return this.#callable(team, live.number);
  }

  /** Returns the teams that the caller may call. */
  async list(user: Member): Promise<CallableTeam[]> {
    const teams = await this.#deps.teams.callable(user.ownerId, user.key?.projectId ?? null);
    return teams.map((team) => this.#callable(team, team.live.number));
  }

  /**
   * Starts a run of what is released: the canvas and the prompts of today are not read. Throws `bad_request` with each field that is wrong, missing or not
   * named by the team, `team_busy`, and `team_changed` where what it needs is gone. A refused call leaves no files.
   */
  async start(caller: TeamCaller, slug: string, asked: AskedCall, keep: StoreIdempotentResponse): Promise<TeamRun> {
    const { user, language } = caller;
    const { team, live } = await this.#deps.teams.bySlug(user.ownerId, slug, user.key?.projectId);
    const input = readInput(team, asked.input, language);
    const filled = fillTask(team.task, team.input, input) || team.title;
    const task = asked.added === undefined ? filled : `${filled}\n\n${asked.added}`;
    if (task.length > maxTaskLength) throw refusedField('input', translate(language, 'invalid.too_long', { limit: String(maxTaskLength) }));
    const files = [...(asked.files ?? []), ...Object.values(input).filter((value) => typeof value === 'object')];
    const isStarted = { team, live, task };
    if (files.length === 0 && asked.git === undefined) return this.#startRun(caller, isStarted, undefined, keep);
    return this.#startWithFiles(caller, isStarted, { files, git: asked.git, ...(asked.follows && { follows: asked.follows }) }, keep);
  }

  async run(user: Member, slug: string, id: string): Promise<TeamRun> {
    const { team, release } = await this.#place(user, slug, id);
    return this.#toRun(user, team, release, await this.#deps.runs.executions.get(user.ownerId, id));
  }

  /** Returns the name of the team that has started a run. */
  async slugOf(user: Member, id: string): Promise<string> {
    return (await this.#place(user, null, id)).team.slug;
  }

  /** Returns the content of a file of a run. */
  async file(user: Member, id: string, path: string): Promise<string | Uint8Array> {
    await this.#place(user, null, id);
    const { content } = await this.#deps.runs.files.content(user.ownerId, id, path);
    if (content instanceof Readable) throw new Error('The content of a file is a stream.');
    return content;
  }

  /** Throws `not_found` unless the run is one of the team. */
  async result(user: Member, slug: string, id: string, language: Language): Promise<TeamResult> {
    await this.#place(user, slug, id);
    const execution = await this.#deps.runs.executions.get(user.ownerId, id);
    const { files: listed } = await this.#deps.runs.files.list(user.ownerId, id, language);
    const files = listed.filter(({ change }) => change !== 'removed');
    const base = `${this.#deps.address()}/api/PipelineExecution/${id}`;
    return {
      status: statusOf(execution),
      text: execution.result,
      error: execution.error,
      files: files.map(({ path, size }) => ({ path, bytes: size, address: `${base}/files/content?path=${encodeURIComponent(path)}` })),
      patch: listed.length === 0 ? null : `${base}/patch`,
      archive: files.length === 0 ? null : `${base}/archive`,
    };
  }

  async questions(user: Member, slug: string, id: string, page: { limit: number; offset: number }) {
    await this.#place(user, slug, id);
    const { items, total } = await this.#deps.runs.questions.ofExecution(user.ownerId, id, page);
    return { items: items.map((question): TeamQuestion => this.#toQuestion(slug, question)), total };
  }

  async answer(
    { user, language }: Pick<TeamCaller, 'user' | 'language'>,
    { slug, id, questionId }: { slug: string; id: string; questionId: string },
    answer: QuestionAnswer,
    keep: StoreIdempotentResponse,
  ): Promise<Question> {
    const { team } = await this.#place(user, slug, id);
    const { questions } = this.#deps.runs;
    if ((await questions.find(user.ownerId, questionId)).executionId !== id) throw new ApiError('not_found');
    return questions.answer({ user, id: questionId, answer, words: wordsOfCall(user, team), language, keep });
  }

  /** Stores what a run begins with before the run. What would be refused is refused first, and what was stored for a refused run is removed. */
  async #startWithFiles(
    caller: TeamCaller,
    asked: LiveCall,
    { files, git, follows }: { files: readonly GivenFile[]; git: Git; follows?: FollowedRun },
    keep: StoreIdempotentResponse,
  ): Promise<TeamRun> {
    const { user, language, signal } = caller;
    const { inputs, runs, versions, db } = this.#deps;
    const { team, live } = asked;
    await runs.executions.assertRoom(user.ownerId);
    await versions.assertWhole(user.ownerId, live.teamVersionId, language);
    if ((await this.#activeRuns(db, team)) >= team.atOnce) throw teamBusy(team);
    const { id } = await inputs.createForStart(user.ownerId, team.projectId);
    try {
      // The callers of a team get no more of its owner's token than the project's own repository.
      if (git !== undefined) await inputs.addRepository(user.ownerId, id, git, { language, signal, byProgram: true });
      if (follows) await inputs.follow(user.ownerId, id, follows);
      for (const { name, content } of files) await inputs.putFile(user.ownerId, id, name, bytesOf(content), signal);
      return await this.#startRun(caller, asked, id, keep);
    } catch (error) {
      // Fails where the database does. Such a set is removed after an hour.
      await inputs.discard(user.ownerId, id).catch(() => {});
      throw error;
    }
  }

  async #startRun(
    { user, language, words }: TeamCaller,
    { team, live, task }: LiveCall,
    inputSetId: string | undefined,
    keep: StoreIdempotentResponse,
  ): Promise<TeamRun> {
    const creation = executionStart.parse({
      pipelineId: live.pipelineId,
      teamVersionId: live.teamVersionId,
      initialTask: task,
      inputData: { source: 'team', triggerCommand: team.slug },
      ...(inputSetId !== undefined && { inputSetId }),
      ...(team.budget !== null && { budget: team.budget }),
    });
    const place = { team, release: live.number };
    const asked = {
      userId: user.ownerId,
      creation,
      language: user.language ?? language,
      key: user.key,
      words: words ?? wordsOfCall(user, team),
    };
    const starting = this.#deps.runs.executions.start(asked, async (tx, answer) => {
      await this.#admit(tx, place, answer as Execution, user);
      await keep(tx, this.#runOf(team, live.number, answer as Execution, []));
    });
    const execution = await starting.catch((error: unknown) => this.#throwRefusal(team, error));
    return this.#runOf(team, live.number, execution, []);
  }

  /** Throws `not_found` for a team that was withdrawn meanwhile, `team_changed` where the run lacks something else, and other errors as they are. */
  async #throwRefusal(team: ReleasedTeamRow, error: unknown): Promise<never> {
    if (toApiError(error).code !== 'not_found') throw error;
    const isThere = await this.#deps.db.$count(releasedTeams, eq(releasedTeams.id, team.id));
    throw isThere ? new ApiError('team_changed', { cause: error }) : unknownTeam(team.slug);
  }

  /** Notes the run of a team, in the transaction that stores it. Throws `team_busy` where the team has as many runs as it may. */
  async #admit(tx: Db, { team, release }: CalledRelease, { id }: Execution, { name, key }: Member): Promise<void> {
    await tx
      .insert(teamRuns)
      .values({ executionId: id, teamId: team.id, release, calledBy: key?.name ?? name, calledAt: this.#deps.now() });
    // One start after another counts the runs, each with those before it.
    await lockByName(tx, `team-runs ${team.id}`);
    if ((await this.#activeRuns(tx, team)) > team.atOnce) throw teamBusy(team);
  }

  async #activeRuns(db: Db, { id }: ReleasedTeamRow): Promise<number> {
    const { rows } =
      await db.execute(sql`SELECT count(*)::integer AS count FROM ${teamRuns} AS run JOIN executions ON executions.id = run.execution_id
      WHERE run.team_id = ${id} AND executions.status IN ('pending', 'running', 'paused')`);
    return (rows[0] as { count: number }).count;
  }

  /** Finds a run that a call of the team has started; of any team for null. */
  async #place(user: Member, slug: string | null, id: string): Promise<CalledRelease> {
    const [found] = await this.#deps.db
      .select({ team: releasedTeams, release: teamRuns.release })
      .from(teamRuns)
      .innerJoin(releasedTeams, eq(releasedTeams.id, teamRuns.teamId))
      .where(
        and(eq(teamRuns.executionId, id), slug === null ? undefined : eq(releasedTeams.slug, slug), eq(releasedTeams.runAs, user.ownerId)),
      );
    if (!found || (user.key?.projectId ?? found.team.projectId) !== found.team.projectId) throw new ApiError('not_found');
    return found;
  }

  async #toRun(user: Member, team: ReleasedTeamRow, release: number, execution: Execution): Promise<TeamRun> {
    const asks = execution.openQuestions !== undefined && unended.has(execution.status);
    const open = asks ? (await this.#deps.runs.questions.ofExecution(user.ownerId, execution.id, { limit: 50, offset: 0 })).items : [];
    return this.#runOf(
      team,
      release,
      execution,
      open.filter(({ state }) => state === 'open'),
    );
  }

  #runOf({ slug, projectId }: ReleasedTeamRow, release: number, execution: Execution, open: readonly Question[]): TeamRun {
    const { id, progress, createdAt, startedAt, completedAt, failedAt, error, lastSeq } = execution;
    const run = `${this.#deps.teams.addressOf(slug)}/runs/${id}`;
    const page = `${this.#deps.address()}/test-project?projectId=${projectId}`;
    return {
      id,
      team: slug,
      release,
      status: statusOf(execution),
      progress,
      createdAt,
      startedAt,
      error,
      lastSeq,
      endedAt: completedAt ?? failedAt,
      questions: open.map((question) => {
        const { id: questionId, kind, title, text, dueAt, byPrograms, address } = this.#toQuestion(slug, question);
        return { id: questionId, kind, title, text, dueAt, byPrograms, address, page: `${page}&question=${questionId}` };
      }),
      addresses: { run, events: `${run}/events`, result: `${run}/result`, questions: `${run}/questions`, page },
    };
  }

  #toQuestion(slug: string, question: Question): TeamQuestion {
    const address = `${this.#deps.teams.addressOf(slug)}/runs/${question.executionId}/questions/${question.id}/answer`;
    return { ...question, byPrograms: isAnsweredByPrograms(question), address };
  }

  #callable({ slug, title, input }: Pick<ReleasedTeamRow, 'slug' | 'title' | 'input'>, release: number): CallableTeam {
    return { slug, title, release, input, schema: inputJsonSchemaOf(input), address: this.#deps.teams.addressOf(slug) };
  }
}

const wordsOfProgram = { outsiders: 'program', account: 'account' } as const satisfies Record<FieldAuthor, WordSource>;

/** Returns where the words of a call of a team come from: those of a person in the page are the account's own. */
function wordsOfCall({ key }: Member, { filledBy }: Pick<ReleasedTeamRow, 'filledBy'>): WordSource {
  return key ? wordsOfProgram[filledBy] : 'account';
}

function statusOf({ status, openQuestions }: Execution): TeamRun['status'] {
  if (openQuestions !== undefined && (status === 'pending' || status === 'running')) return 'waiting';
  return status === 'pending' ? 'queued' : status;
}

/** Reads the input of a call by the schema of its team. Throws `bad_request` with each wrong field. */
function readInput({ input: fields }: ReleasedTeamRow, given: Readonly<Record<string, unknown>>, language: Language): TeamInput {
  const parsed = inputSchemaOf(fields).safeParse(given, { error: fieldText(language) });
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, code, message }) => ({
      path: ['input', ...path].join('.'),
      // A number is a union, since it may be given as its digits.
      message: code === 'invalid_union' && given[String(path[0])] !== undefined ? translate(language, 'invalid.number') : message,
    }));
    throw new ApiError('bad_request', { errors, details: { fields: fields.map(({ name }) => name) } });
  }
  const input = parsed.data as TeamInput;
  const files = Object.entries(input).flatMap(([field, value]) => (typeof value === 'object' ? [{ field, path: value.name }] : []));
  for (const [at, { field, path }] of files.entries()) {
    const other = files.slice(0, at).find((earlier) => earlier.path === path);
    if (other) throw refusedField(`input.${field}`, translate(language, 'file.path_twice', { path, other: other.field }));
  }
  return input;
}

function teamBusy({ atOnce }: ReleasedTeamRow): ApiError {
  return new ApiError('team_busy', { params: { count: atOnce }, details: { atOnce }, retryAfterSeconds: 10 });
}

function refusedField(path: string, message: string): ApiError {
  return new ApiError('bad_request', { errors: [{ path, message }] });
}

function bytesOf(content: GivenFile['content']): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content;
}
