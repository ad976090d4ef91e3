import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { answerParent } from './answer-parent.ts';

/**
 * A model server that speaks OpenAI's chat completions, streamed. The name of the model says how it answers: `instant`, `after-50` (ms),
 * `held-third` or `stream-100-2000`. With `held-third` the third step of a run gets no answer while `hold` is on. With `stream-100-2000` a
 * piece comes every 100 ms for 2 s; each piece is the moment at which it was written.
 */
export type ModelQuestion = { kind: 'url' } | { kind: 'calls' } | { kind: 'called-at' } | { kind: 'hold'; on: boolean };

const finish = [
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } },
]
  .map(event)
  .concat('data: [DONE]\n\n')
  .join('');
const wholeAnswer = Buffer.from(piece('A short answer.') + finish);
const wholeHead = { 'content-type': 'text/event-stream', 'content-length': wholeAnswer.length };

let calls = 0;
/** The moment of the last call (ms since the epoch). */
let calledAt = 0;
let hold = false;

const server = http.createServer((request, response) => {
  calledAt = performance.timeOrigin + performance.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    calls += 1;
    const body = Buffer.concat(chunks).toString('latin1');
    const model = /"model":"([^"]+)"/.exec(body)?.[1] ?? '';
    const [kind, every, lasting] = model.split('-');
    const held = kind === 'held' && hold && (body.match(/\\n## /g) ?? []).length === 2;
    if (held) return;
    if (kind === 'after') setTimeout(() => response.writeHead(200, wholeHead).end(wholeAnswer), Number(every));
    else if (kind === 'stream') stream(response, Number(every), Number(lasting));
    else response.writeHead(200, wholeHead).end(wholeAnswer);
  });
});
server.listen(0, '127.0.0.1');
const listening = new Promise<void>((resolve) => server.once('listening', resolve));

answerParent<ModelQuestion, string | number>(
  async (question) => {
    await listening;
    if (question.kind === 'hold') hold = question.on;
    if (question.kind === 'called-at') return calledAt;
    return question.kind === 'url' ? `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` : calls;
  },
  async () => server.closeAllConnections(),
);

function stream(response: http.ServerResponse, everyMs: number, lastingMs: number): void {
  const begun = performance.now();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => {
    response.write(piece(`${Math.round(performance.timeOrigin + performance.now())} `));
    if (performance.now() - begun < lastingMs) return;
    clearInterval(timer);
    response.end(finish);
  }, everyMs);
  response.once('close', () => clearInterval(timer));
}

function piece(content: string): string {
  return event({ choices: [{ index: 0, delta: { content } }] });
}

function event(chunk: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'bench', ...chunk })}\n\n`;
}
