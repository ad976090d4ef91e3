import type { Answer } from '../../egress/egress.ts';
import { parseBoundedJson } from '../bounded-json.ts';
import { HttpFailure } from '../http-failure.ts';
import type { Hold } from '../language-model.ts';
import { EventParser } from '../read-events.ts';
import type { AnswerReader, Protocol } from './protocol.ts';
import type { ReceivedAnswer } from './received-answer.ts';

type Reading = { reader: AnswerReader; eventsOf: Protocol['eventsOf']; received: ReceivedAnswer; hold: Hold | undefined };

/**
 * Reads an answer to its end. Some servers ignore `stream: true` and answer with one whole body, and some stream without the right content type. Throws errors of
 * the connection, those that the stream reports, and those of a malformed answer. The connection is closed where the rest of an answer is not wanted.
 */
export async function readAnswer(answer: Answer, { reader, eventsOf, received, hold }: Reading): Promise<void> {
  const onEvent = (event: unknown) => reader.take(event);
  const onText = (text: string) => reader.addText(text);
  const isEnded = () => received.isEnded;
  const type = answer.headers['content-type'] ?? '';
  if (type.includes('text/event-stream')) await readStream(answer.body, new EventParser({ onEvent, onText, isEnded, hold }), received);
  else {
    const body = await answer.text(hold);
    if (/^data:/m.test(body)) await readStream([Buffer.from(body)], new EventParser({ onEvent, onText, isEnded }), received);
    else if (type.includes('html') || body.trimStart().startsWith('<')) throw new HttpFailure(answer.status, body.slice(0, 4_096));
    else if (body.trim() !== '') {
      for (const event of eventsOf(parseBoundedJson(body))) {
        reader.take(event);
        if (received.isEnded) break;
      }
    }
  }
  reader.end?.();
}

async function readStream(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  parser: EventParser,
  received: ReceivedAnswer,
): Promise<void> {
  for await (const piece of body) {
    parser.push(piece);
    if (parser.isMarked || received.isEnded) break;
  }
  parser.end();
  received.isMarked = parser.isMarked;
}
