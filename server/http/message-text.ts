import { z } from 'zod';
import { type ExecutionUpdate, executionUpdate, type ServerMessage, serverMessage } from '../../contract/realtime.ts';
import { compileKeyFilter } from './key-filter.ts';

const { keep } = compileKeyFilter(z.union([...serverMessage.options, executionUpdate]));
const texts = new WeakMap<object, Buffer>();

/**
 * A message as sockets and event streams send it, without what its schema does not name. It is filtered and written once, however many
 * listeners it goes to.
 */
export function messageText(message: ServerMessage | ExecutionUpdate): Buffer {
  const known = texts.get(message);
  if (known) return known;
  const text = Buffer.from(JSON.stringify(keep === null ? message : keep(message)));
  texts.set(message, text);
  return text;
}
