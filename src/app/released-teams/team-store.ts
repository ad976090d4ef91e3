import type { PipelineCreation } from '../../../contract/executions/pipeline.ts';
import type { ReleasedTeam, ReleasedTeamChange, ReleasedTeamDetails, TeamRelease, TeamRun } from '../../../contract/released-team.ts';
import type { Api } from '../../api/create-api.ts';
import { removeIfThere } from '../api-list/api-list-store.ts';
import { ApiStore } from '../api-list/api-store.ts';

type TeamsState = {
  teams: readonly ReleasedTeam[];
  /** The team whose releases and calls are shown. */
  openId: string | null;
  /** Null while they load. */
  details: ReleasedTeamDetails | null;
  /** The run that the form of the page has started last. */
  started: TeamRun | null;
};

export type NewTeam = Omit<TeamRelease, 'pipelineId' | 'canvasVersion'>;

/** The released teams of a project. A change is shown only after the server has made it. K4.14 */
export class TeamStore extends ApiStore<TeamsState> {
  readonly #id: string;

  constructor(api: Api, projectId: string) {
    super(api, { teams: [], openId: null, details: null, started: null });
    this.#id = projectId;
  }

  load(): Promise<boolean> {
    return this.attempt(() => this.#read());
  }

  /** Releases what the pipeline of the present canvas says. The server refuses a canvas that has changed meanwhile. */
  release(pipeline: PipelineCreation, team: NewTeam): Promise<boolean> {
    return this.attempt(async () => {
      const { id } = await this.api.call('pipeline.create', { body: pipeline });
      const { canvasVersion } = pipeline;
      const body = { ...team, pipelineId: id, ...(canvasVersion !== undefined && { canvasVersion }) };
      await this.api.call('releasedTeam.release', { params: { id: this.#id }, body });
      await this.#read();
    });
  }

  /** Makes the present team live. */
  releasePresent(teamId: string, pipeline: PipelineCreation): Promise<boolean> {
    return this.#change(teamId, async () => {
      const { id } = await this.api.call('pipeline.create', { body: pipeline });
      const body = { pipelineId: id, ...(pipeline.canvasVersion !== undefined && { canvasVersion: pipeline.canvasVersion }) };
      await this.api.call('releasedTeam.releaseNext', { params: { id: this.#id, teamId }, body });
    });
  }

  /** Makes an earlier release live again. */
  releaseAgain(teamId: string, release: number): Promise<boolean> {
    return this.#change(teamId, async () => {
      await this.api.call('releasedTeam.releaseNext', { params: { id: this.#id, teamId }, body: { release } });
    });
  }

  change(teamId: string, change: ReleasedTeamChange): Promise<boolean> {
    return this.#change(teamId, async () => {
      await this.api.call('releasedTeam.update', { params: { id: this.#id, teamId }, body: change });
    });
  }

  /** Withdraws a team. One that is gone already is no failure. */
  withdraw(teamId: string): Promise<boolean> {
    return this.attempt(async () => {
      await removeIfThere(() => this.api.call('releasedTeam.withdraw', { params: { id: this.#id, teamId } }));
      if (this.get().openId === teamId) this.show({ openId: null, details: null });
      await this.#read();
    });
  }

  /** Starts a run with the form of the page, whose parts are the fields. */
  start(slug: string, form: FormData): Promise<boolean> {
    return this.attempt(async () => {
      this.show({ started: await this.api.call('team.start', { params: { slug }, body: form }) });
      await this.#readDetails();
    });
  }

  /** Shows the releases and calls of a team, or of none. */
  open(teamId: string | null): Promise<boolean> {
    this.show({ openId: teamId, details: null });
    return this.attempt(() => this.#readDetails());
  }

  #change(teamId: string, work: () => Promise<void>): Promise<boolean> {
    return this.attempt(async () => {
      await work();
      await this.#read();
      if (this.get().openId === teamId) await this.#readDetails();
    });
  }

  async #read(): Promise<void> {
    this.show({ teams: await this.api.call('releasedTeam.list', { params: { id: this.#id } }), status: 'ready' });
  }

  async #readDetails(): Promise<void> {
    const { openId } = this.get();
    if (openId === null) return;
    const details = await this.api.call('releasedTeam.get', { params: { id: this.#id, teamId: openId } });
    if (this.get().openId === openId) this.show({ details });
  }
}
