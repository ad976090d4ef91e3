import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { ClientGone, clientSignal } from '../../../../server/http/client-signal.ts';

test('G8.28 the signal of a call aborts when its client has gone, also behind another answer, and not after its answer', async () => {
  const app = Fastify({ forceCloseConnections: true });
  const signals = new Map<string, AbortSignal>();
  app.get<{ Params: { name: string } }>('/:name', async (request, reply) => {
    const { name } = request.params;
    signals.set(name, clientSignal(request, reply));
    if (name !== 'answered') await new Promise(() => {});
    return name;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(await (await fetch(`${url}/answered`)).text()).toBe('answered');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(['first', 'second'].map((name) => `GET /${name} HTTP/1.1\r\nhost: localhost\r\n\r\n`).join(''));
  await expect.poll(() => [...signals.keys()]).toEqual(['answered', 'first', 'second']);
  expect([...signals.values()].map(({ aborted }) => aborted)).toEqual([false, false, false]);
  socket.destroy();
  await expect.poll(() => [...signals.values()].map(({ aborted }) => aborted)).toEqual([false, true, true]);
  expect(signals.get('first')?.reason).toBeInstanceOf(ClientGone);
  await app.close();
});
