import { createDecipheriv, createECDH, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushDeviceCreation } from '../../../contract/push.ts';
import { waitingList } from '../waiting-list.ts';

/** `message`: what the browser decrypts, as the service worker gets it. */
export type ReceivedPush = { path: string; headers: Record<string, string>; body: Buffer; message: Record<string, unknown> };

/** The longest wait for a message (ms). */
const patienceMs = 40_000;

export type PushService = Awaited<ReturnType<typeof startPushService>>;

/** A local push service and its browsers: it takes encrypted messages, and each browser decrypts its own as RFC 8291 says. */
export async function startPushService() {
  let reply: { status: number; headers?: Record<string, string> } | { silent: true } = { status: 201 };
  const browsers = new Map<string, Browser>();
  const pushes = waitingList<ReceivedPush>('push message', patienceMs);
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [path, body] = [request.url ?? '', Buffer.concat(chunks)];
      const message = JSON.parse(browsers.get(path)?.decrypt(body) ?? '{}');
      pushes.add({ path, headers: request.headers as Record<string, string>, body, message });
      if ('status' in reply) response.writeHead(reply.status, reply.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    pushes: pushes.items,
    until: pushes.until,
    /** Makes the subscription of a new browser. */
    subscribe: (name = 'Chrome 141, Android'): PushDeviceCreation & { path: string } => {
      const [path, browser] = [`/send/${randomUUID()}`, newBrowser()];
      browsers.set(path, browser);
      return { endpoint: `${url}${path}`, keys: browser.keys, name, path };
    },
    /** Sets the answer to the next messages. */
    answer: (next: typeof reply) => {
      reply = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<unknown>((resolve) => server.close(resolve));
    },
  };
}

export type Browser = ReturnType<typeof newBrowser>;

/** The keys of a browser's subscription, and the decryption with them. */
export function newBrowser() {
  const [pair, auth] = [createECDH('prime256v1'), randomBytes(16)];
  const own = pair.generateKeys();
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    /** Decrypts a message of one record (RFC 8188, RFC 8291). */
    decrypt: (body: Buffer): string => {
      const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender]);
      const shared = createHmac('sha256', auth).update(pair.computeSecret(sender)).digest();
      const secret = createHmac('sha256', shared).update(info).update(Buffer.of(1)).digest();
      const derive = (name: string, length: number) => Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
      const opened = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12)).setAuthTag(sealed.subarray(-16));
      const padded = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()]);
      return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
    },
  };
}
