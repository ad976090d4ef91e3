import http from 'node:http';

type Answer = { status: number; body: string; headers: http.IncomingHttpHeaders };

export type HttpClient = {
  send: (method: string, path: string, sent?: { token?: string; body?: string }) => Promise<Answer>;
  close: () => void;
};

/** Plain HTTP over kept-alive connections, with as little work a call as Node can do. Rejects when no answer arrives. */
export function httpClient(url: string): HttpClient {
  const agent = new http.Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);
  return {
    send: (method, path, { token, body } = {}) =>
      new Promise((resolve, reject) => {
        const headers: http.OutgoingHttpHeaders = {};
        if (token !== undefined) headers.authorization = `Bearer ${token}`;
        if (body !== undefined) {
          headers['content-type'] = 'application/json';
          headers['content-length'] = Buffer.byteLength(body);
        }
        const request = http.request({ agent, hostname, port, method, path, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8'), headers: response.headers }),
          );
          response.once('error', reject);
        });
        request.once('error', reject);
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}
