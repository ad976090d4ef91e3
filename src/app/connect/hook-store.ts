import type { CreatedHook, HookCreation, HookDelivery, HookOut, HookUpdate } from '../../../contract/hook.ts';
import type { Api } from '../../api/create-api.ts';
import { ApiListStore, removeIfThere } from '../api-list/api-list-store.ts';

type HooksState = {
  /** The hook that has got a secret last, with it. It is gone when the window closes. */
  created: CreatedHook | null;
  /** The hook whose deliveries are shown. */
  openId: string | null;
  /** Its last deliveries, the newest first; null while they load. */
  deliveries: readonly HookDelivery[] | null;
};

/** The deliveries that are shown. */
const shown = 20;
/** The pause before a delivery under way is looked for again (ms). */
const lookAgainMs = 1_500;

/** The hooks of a project. A change is shown only after the server has made it. K6.09 */
export class HookStore extends ApiListStore<HookOut, HooksState> {
  readonly #id: string;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(api: Api, projectId: string) {
    super(api, { created: null, openId: null, deliveries: null });
    this.#id = projectId;
  }

  /** Returns whether the hook was created. After a lost answer it may be in the list, without its secret: it is then to be removed. */
  async create(creation: HookCreation): Promise<boolean> {
    const isDone = await this.attempt(async () => {
      const created = await this.api.call('hook.create', { params: { id: this.#id }, body: creation });
      const { secret: _secret, ...hook } = created;
      this.show({ created, items: [...this.get().items, hook] });
    });
    if (!isDone) await this.reread();
    return isDone;
  }

  change(hookId: string, update: HookUpdate): Promise<boolean> {
    return this.attempt(async () => {
      const changed = await this.api.call('hook.update', { params: { id: this.#id, hookId }, body: update });
      this.put(changed);
      await this.#readDeliveries();
    });
  }

  /** Replaces the secret of a hook. After a lost answer the list says whether it was replaced: another one is then to be made. */
  async replaceSecret(hookId: string): Promise<boolean> {
    const isDone = await this.attempt(async () => {
      const created = await this.api.call('hook.replaceSecret', { params: { id: this.#id, hookId } });
      const { secret: _secret, ...hook } = created;
      this.show({ created });
      this.put(hook);
    });
    if (!isDone) await this.reread();
    return isDone;
  }

  /** Removes a hook. */
  remove(hookId: string): Promise<boolean> {
    return this.attempt(async () => {
      await removeIfThere(() => this.api.call('hook.remove', { params: { id: this.#id, hookId } }));
      const { created, openId } = this.get();
      if (created?.id === hookId) this.show({ created: null });
      if (openId === hookId) this.show({ openId: null, deliveries: null });
      this.drop(hookId);
    });
  }

  /** Shows the deliveries of a hook, or of none; of none too where they cannot be read. */
  async open(hookId: string | null): Promise<void> {
    this.show({ openId: hookId, deliveries: null });
    const isDone = await this.attempt(() => this.#readDeliveries());
    if (!isDone && this.get().openId === hookId) this.show({ openId: null });
  }

  /** Sends a test event, and shows its outcome in the list of deliveries. */
  test(hookId: string): Promise<boolean> {
    return this.attempt(async () => {
      await this.api.call('hook.test', { params: { id: this.#id, hookId } });
      if (this.get().openId !== hookId) this.show({ openId: hookId, deliveries: null });
      await this.#readDeliveries();
    });
  }

  resend(hookId: string, deliveryId: string): Promise<boolean> {
    return this.attempt(async () => {
      await this.api.call('hook.resend', { params: { id: this.#id, hookId, deliveryId } });
      await this.#readDeliveries();
    });
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  protected read(): Promise<HookOut[]> {
    return this.api.call('hook.list', { params: { id: this.#id } });
  }

  /** Reads the deliveries of the open hook, and again while a first try is under way: its receiver may be the cause of a change of the hook. */
  async #readDeliveries(): Promise<void> {
    const { openId } = this.get();
    this.close();
    if (openId === null) return;
    const deliveries = await this.api.call('hook.deliveries', { params: { id: this.#id, hookId: openId }, query: { limit: shown } });
    if (this.get().openId !== openId) return;
    this.show({ deliveries });
    const isUnderWay = deliveries.some(({ status, attempt }) => status === 'pending' && attempt === 0);
    if (isUnderWay) this.#timer = setTimeout(() => void this.quietly(() => this.#lookAgain()), lookAgainMs);
  }

  async #lookAgain(): Promise<{ items: HookOut[] }> {
    await this.#readDeliveries();
    return { items: await this.read() };
  }
}
