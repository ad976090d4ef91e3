import type { Handlers } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import { createEgress } from '../../platform/egress/egress.ts';
import type { Proxies } from '../../platform/egress/proxies.ts';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';
import type { EventSender } from '../hooks/index.ts';
import { type DevicesDeps, PushDevices } from './devices.ts';
import { createSendPush, type SendPushDeps } from './send-push.ts';
import { vapidKeysFrom } from './vapid-keys.ts';

/** The public functions of the module of web push: browsers of people are told of events. */

type PushDeps = Omit<DevicesDeps, 'publicKey'> &
  Omit<SendPushDeps, 'egress' | 'devices' | 'keys'> & {
    /** For the worker. */
    work: { db: Db };
    secret: SecretKey;
    proxies: Proxies;
  };

/** The longest silence of a push service, and the longest call (ms). */
const timeouts = { idleTimeoutMs: 10_000, totalTimeoutMs: 15_000 };

export function createPush(deps: PushDeps): { devices: PushDevices; send: EventSender } {
  const keys = vapidKeysFrom(deps.secret);
  const { publicKey } = keys;
  const egress = createEgress({ allowPrivate: deps.allowPrivateHosts, proxies: deps.proxies, ...timeouts });
  const ofWork = new PushDevices({ ...deps, db: deps.work.db, publicKey });
  return { devices: new PushDevices({ ...deps, publicKey }), send: createSendPush({ ...deps, egress, devices: ofWork, keys }) };
}

export function pushHandlers(devices: PushDevices): Pick<Handlers, Extract<keyof Handlers, `push.${string}`>> {
  return {
    'push.get': ({ user }) => devices.state(user.ownerId),
    'push.add': ({ user, body }) => devices.add(user, body),
    'push.update': ({ user, params, body }) => devices.update(user.ownerId, params.deviceId, body),
    'push.remove': ({ user, params }) => devices.remove(user.ownerId, params.deviceId),
  };
}
