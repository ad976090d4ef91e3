import { transferHandlers } from 'comlink';

type Thrown = { name: string; message: string; stack?: string; code?: unknown; details?: unknown };
type TransferredValue = { isError: true; value: Thrown } | { isError: false; value: unknown };

/**
 * Keeps the name, `code` and `details` of errors between page and worker; Comlink's handler drops them. Call once on each side before
 * any other call.
 */
export function installErrorTransfer(): void {
  const own = transferHandlers.get('throw');
  if (!own) throw new Error('Comlink has no handler for thrown values');
  transferHandlers.set('throw', {
    canHandle: own.canHandle,
    serialize: (thrown) => {
      const { value } = thrown as { value: unknown };
      const transferred: TransferredValue = value instanceof Error ? { isError: true, value: describe(value) } : { isError: false, value };
      return [transferred, []];
    },
    deserialize: (transferred) => {
      const { isError, value } = transferred as TransferredValue;
      if (!isError) throw value;
      const { message, ...rest } = value;
      throw Object.assign(new Error(message), rest);
    },
  });
}

function describe(error: Error): Thrown {
  const { code, details } = error as Error & { code?: unknown; details?: unknown };
  return { name: error.name, message: error.message, ...(error.stack && { stack: error.stack }), code, details };
}
