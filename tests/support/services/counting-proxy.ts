import http from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** What a proxy does when it is asked for a connection: it opens one to `port` of this machine, answers with a status, or says nothing. */
type Answer = { port: number } | { status: number } | 'nothing';

/** A proxy that counts what it is asked for. Whatever host is asked for, it leads to this machine: no other way goes there. */
export async function startCountingProxy(answerTo: (asked: string) => Answer) {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const plain: string[] = [];
  const open = new Set<Socket>();
  const server = http.createServer((request, response) => {
    plain.push(request.url ?? '');
    response.writeHead(501).end();
  });
  server.on('connection', (socket) => open.add(socket));
  server.on('connect', (request: http.IncomingMessage, client: Socket, head: Buffer) => {
    asked.push(request.url ?? '');
    credentials.push(request.headers['proxy-authorization']);
    client.on('error', () => {});
    const answer = answerTo(request.url ?? '');
    if (answer === 'nothing') return;
    if ('status' in answer) return client.end(`HTTP/1.1 ${answer.status} No\r\ncontent-length: 0\r\n\r\n`);
    const far = connect(answer.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.write(head);
      far.pipe(client).pipe(far);
    });
    far.on('error', () => client.destroy());
    open.add(far);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    /** The hosts and ports of its connections. */
    asked,
    credentials,
    /** Requests that should have asked for a connection. */
    plain,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
