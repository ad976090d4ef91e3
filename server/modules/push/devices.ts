import { ECDH } from 'node:crypto';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { hookEvents } from '../../../contract/hook.ts';
import {
  maxPushDevices,
  type PushDevice,
  type PushState,
  pushDevice,
  type pushDeviceCreation,
  type pushDeviceUpdate,
} from '../../../contract/push.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, eq, ne, sql } from '../../platform/database/drizzle.ts';
import { lockByName, ownedRows } from '../../platform/database/owned-rows.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import { isWebAddress, type PrivateHosts } from '../../platform/egress/private-hosts.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { hashOfToken } from '../../platform/secrets/tokens.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { HookRefused } from '../hooks/index.ts';
import { type DeviceRow, pushDevices } from './tables.ts';

export type DevicesDeps = {
  db: Db;
  secrets: SecretBox;
  publicKey: string;
  isHostAllowed: (address: string) => Promise<boolean>;
  /** Whether push services may be reached without encryption, on hosts of the operator's network. */
  allowPrivateHosts: PrivateHosts;
  queue: Pick<WorkQueue, 'markInUse'>;
  now: () => Date;
};

/** The push subscription of a browser. `isFailing`: the push service has refused its last message. */
export type Subscription = Pick<z.output<typeof pushDeviceCreation>, 'endpoint' | 'keys'> & { isFailing: boolean };

type Owner = { ownerId: OwnerId; sessionId: string };

/** Refusals that end by themselves: a time limit, and too many messages. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429]);

const ownDevices = ownedRows(pushDevices, { owner: pushDevices.userId, order: [asc(pushDevices.addedAt), asc(pushDevices.id)] });
const showDevice = viewOf(pushDevice);
const isOpen = sql`EXISTS (SELECT 1 FROM sessions WHERE sessions.id = ${pushDevices.sessionId} AND sessions.ended_at IS NULL)`;

/** The browsers of accounts that are told of events, each while the session is open in which it was added. */
export class PushDevices {
  readonly #deps: DevicesDeps;

  constructor(deps: DevicesDeps) {
    this.#deps = deps;
  }

  async state(userId: OwnerId): Promise<PushState> {
    const { db, publicKey } = this.#deps;
    return { publicKey, devices: (await ownDevices.list(db, userId, isOpen)).map(toApi) };
  }

  /**
   * Adds a browser. One that the account has added before keeps its events; one of another account is taken over, since only the browser itself knows
   * its endpoint. Throws `hook_refused` for an endpoint that is not called, for keys of no browser, and for one browser too many.
   */
  async add(owner: Owner, { endpoint: given, keys, name }: z.output<typeof pushDeviceCreation>): Promise<PushDevice> {
    const { db, secrets, queue, now } = this.#deps;
    const endpoint = await this.#checkedEndpoint(given);
    if (!isPoint(keys.p256dh)) throw new HookRefused('push_keys');
    const [endpointHash, userId] = [hashOfToken(endpoint), owner.ownerId];
    const added = db.transaction(async (tx) => {
      for (const turn of [userId, endpointHash]) await lockByName(tx, `push ${turn}`);
      const [before] = await tx.select().from(pushDevices).where(eq(pushDevices.endpointHash, endpointHash));
      const own = before?.userId === userId ? before : null;
      if (before && !own) await tx.delete(pushDevices).where(eq(pushDevices.id, before.id));
      const others = await tx.$count(pushDevices, and(eq(pushDevices.userId, userId), ne(pushDevices.endpointHash, endpointHash), isOpen));
      if (others >= maxPushDevices) throw new HookRefused('devices', { limit: maxPushDevices });
      const id = own?.id ?? v7();
      const row: DeviceRow = {
        id,
        userId,
        sessionId: owner.sessionId,
        endpointHash,
        subscriptionSealed: secrets.seal(JSON.stringify({ endpoint, keys }), aboutDevice(id)),
        name,
        events: own?.events ?? [...hookEvents],
        addedAt: now(),
        failedStatus: null,
        failedAt: null,
      };
      await tx.insert(pushDevices).values(row).onConflictDoUpdate({ target: pushDevices.id, set: row });
      return toApi(row);
    });
    return added.finally(() => queue.markInUse('delivery'));
  }

  async update(userId: OwnerId, deviceId: string, change: z.output<typeof pushDeviceUpdate>): Promise<PushDevice> {
    return toApi(orNotFound(await ownDevices.update(this.#deps.db, userId, deviceId, change)));
  }

  async remove(userId: OwnerId, deviceId: string): Promise<void> {
    if (!(await ownDevices.remove(this.#deps.db, userId, deviceId))) throw new ApiError('not_found');
  }

  /** Returns where a browser is reached; null when its session has ended, or the server has another secret. */
  async find(userId: OwnerId, deviceId: string): Promise<Subscription | null> {
    const [row] = await ownDevices.list(this.#deps.db, userId, and(eq(pushDevices.id, deviceId), isOpen));
    const opened = row ? this.#deps.secrets.open(row.subscriptionSealed, aboutDevice(row.id)) : null;
    return opened === null ? null : { ...JSON.parse(opened), isFailing: row?.failedAt !== null };
  }

  /**
   * Notes what a push service has answered. A refusal that another try cannot change, as that of the server's key, is shown to the account until a message is
   * taken.
   */
  async noteAnswer(deviceId: string, status: number, isFailing: boolean): Promise<void> {
    const isRefused = status >= 400 && status < 500 && !passingStatuses.has(status);
    const isTaken = status >= 200 && status < 300;
    if (!isRefused && !(isTaken && isFailing)) return;
    const noted = isRefused ? { failedStatus: status, failedAt: this.#deps.now() } : { failedStatus: null, failedAt: null };
    await this.#deps.db.update(pushDevices).set(noted).where(eq(pushDevices.id, deviceId));
  }

  /** Forgets a browser that can be reached no more, with what was on its way to it. */
  async forget(deviceId: string): Promise<void> {
    await this.#deps.db.delete(pushDevices).where(eq(pushDevices.id, deviceId));
  }

  async #checkedEndpoint(given: string): Promise<string> {
    const url = URL.parse(given);
    const { allowPrivateHosts, isHostAllowed } = this.#deps;
    if (
      url === null ||
      !isWebAddress(url, allowPrivateHosts) ||
      url.username !== '' ||
      url.password !== '' ||
      !(await isHostAllowed(url.href))
    )
      throw new HookRefused('host');
    // A browser finds itself by the endpoint as it knows it.
    return given;
  }
}

const aboutDevice = (id: string) => `push ${id}`;

function toApi({ endpointHash: fingerprint, ...row }: DeviceRow): PushDevice {
  const { failedStatus, failedAt } = row;
  const refusal = failedStatus === null || failedAt === null ? null : { status: failedStatus, at: failedAt.toISOString() };
  return showDevice(row, { fingerprint, refusal });
}

/** Whether a text is a public key on the curve of web push. */
function isPoint(key: string): boolean {
  try {
    ECDH.convertKey(Buffer.from(key, 'base64url'), 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
