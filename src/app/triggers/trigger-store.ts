import type { z } from 'zod';
import type { Cost } from '../../../contract/cost.ts';
import type { ReleasedTeam } from '../../../contract/released-team.ts';
import type { SchedulePreview, Trigger, TriggerCreation, TriggerDetails, TriggerUpdate, triggerTried } from '../../../contract/trigger.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Api } from '../../api/create-api.ts';
import { ApiListStore, removeIfThere } from '../api-list/api-list-store.ts';

/** A secret that is shown once. `earlierUntil`: how long the one before is valid too. */
export type ShownSecret = { triggerId: string; secret: string; earlierUntil: string | null };
type Tried = z.output<typeof triggerTried>;

type TriggersState = {
  teams: readonly ReleasedTeam[];
  /** It is gone when the window closes. */
  secret: ShownSecret | null;
  /** The trigger that is shown with all that is known of it. */
  openId: string | null;
  /** Null while they load. */
  details: TriggerDetails | null;
  /** What became of the example that was tried last. */
  tried: Tried | null;
};

/** The pause before an open trigger is read again (ms): something may have come in. */
const lookAgainMs = 4_000;

/** The triggers of a project. A change is shown only after the server has made it. L4.02 */
export class TriggerStore extends ApiListStore<Trigger, TriggersState> {
  readonly #id: string;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(api: Api, projectId: string) {
    super(api, { teams: [], secret: null, openId: null, details: null, tried: null });
    this.#id = projectId;
  }

  /** Returns the new trigger. After a lost answer it may be in the list, without its secret: another one is then to be made. */
  async create(creation: TriggerCreation): Promise<Trigger | null> {
    let made: Trigger | null = null;
    const isDone = await this.attempt(async () => {
      const { secret, ...trigger } = await this.api.call('trigger.create', { params: { id: this.#id }, body: creation });
      made = trigger;
      this.show({
        items: [...this.get().items, trigger],
        ...(secret !== null && { secret: { triggerId: trigger.id, secret, earlierUntil: null } }),
      });
    });
    if (!isDone) await this.reread();
    return made;
  }

  change(triggerId: string, update: TriggerUpdate): Promise<boolean> {
    return this.attempt(async () => {
      this.put(await this.api.call('trigger.update', { params: { id: this.#id, triggerId }, body: update }));
      await this.#readDetails();
    });
  }

  remove(triggerId: string): Promise<boolean> {
    return this.attempt(async () => {
      await removeIfThere(() => this.api.call('trigger.remove', { params: { id: this.#id, triggerId } }));
      if (this.get().openId === triggerId) this.close();
      this.show({ ...(this.get().secret?.triggerId === triggerId && { secret: null }) });
      this.drop(triggerId);
    });
  }

  renewSecret(triggerId: string): Promise<boolean> {
    return this.attempt(async () => {
      const { secret, earlierUntil } = await this.api.call('trigger.renewSecret', { params: { id: this.#id, triggerId } });
      this.show({ secret: { triggerId, secret, earlierUntil } });
    });
  }

  /** Starts a run with what came then. */
  again(triggerId: string, key: string): Promise<boolean> {
    return this.attempt(async () => {
      await this.api.call('trigger.again', { params: { id: this.#id, triggerId, key } });
      await this.#readDetails();
    });
  }

  /** Says what would become of a body. Nothing is started. */
  try(triggerId: string, body: string, event: string | null): Promise<boolean> {
    this.show({ tried: null });
    return this.attempt(async () =>
      this.show({
        tried: await this.api.call('trigger.try', {
          params: { id: this.#id, triggerId },
          body: { body, ...(event !== null && { event }) },
        }),
      }),
    );
  }

  /** Shows a trigger, or none; of none too where it cannot be read. */
  async open(triggerId: string | null): Promise<void> {
    this.close();
    this.show({ openId: triggerId, details: null, tried: null });
    const reading = this.attempt(() => this.#readDetails());
    // No button waits for what is read.
    this.show({ isBusy: false });
    if (!(await reading) && this.get().openId === triggerId) this.show({ openId: null });
  }

  /** Returns the next instants of a schedule, or null for one that the server refuses. Throws where it cannot be asked. */
  async preview(cron: string, zone: string): Promise<SchedulePreview | null> {
    try {
      return await this.api.call('trigger.preview', { query: { cron, zone } });
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) return null;
      throw error;
    }
  }

  /** Returns what runs of a team have cost on average; null where that is not known. */
  async costOfRun(teamId: string): Promise<Cost | null> {
    return (await this.api.call('releasedTeam.get', { params: { id: this.#id, teamId } })).costOfRun;
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  protected async read(): Promise<Trigger[]> {
    const [triggers, teams] = await Promise.all([
      this.api.call('trigger.list', { params: { id: this.#id } }),
      this.api.call('releasedTeam.list', { params: { id: this.#id } }),
    ]);
    this.show({ teams });
    return triggers;
  }

  async #readDetails(): Promise<void> {
    const { openId } = this.get();
    this.close();
    if (openId === null) return;
    const details = await this.api.call('trigger.get', { params: { id: this.#id, triggerId: openId } });
    if (this.get().openId !== openId) return;
    const { fires: _, next: __, costOfRun: ___, firesADay: ____, threads: _____, ...trigger } = details;
    this.show({ details });
    this.put(trigger);
    this.#timer = setTimeout(() => void this.#lookAgain(), lookAgainMs);
  }

  /** Reads again what is open, without a sign of it. While nothing can be read, what was read last stays. */
  async #lookAgain(): Promise<void> {
    try {
      await this.#readDetails();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#timer = setTimeout(() => void this.#lookAgain(), lookAgainMs);
    }
  }
}
