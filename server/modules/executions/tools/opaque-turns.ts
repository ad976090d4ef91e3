import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { StepRow } from '../store/rows.ts';

/** The longest turn that is kept as its provider wants it back (bytes). A longer one goes back as its text and calls. */
const maxOpaqueBytes = 256 * 1024;

type OfStep = Pick<StepRow, 'executionId' | 'stepId'>;

/** Encrypts a provider's form of a turn for the row of its step; null for none, and for one that is too long. */
export type SealTurn = (step: OfStep, opaque: string | undefined) => string | null;
/** Decrypts it; null where that fails, for example in the copy of a run. */
export type OpenTurn = (step: OfStep, sealed: string | null) => string | null;

/** Turns hold a model's hidden reasoning, which only its provider reads. */
export function createOpaqueTurns(secrets: Pick<SecretBox, 'seal' | 'open'>): { seal: SealTurn; open: OpenTurn } {
  return {
    seal: (step, opaque) =>
      opaque === undefined || Buffer.byteLength(opaque) > maxOpaqueBytes ? null : secrets.seal(opaque, aboutTurns(step)),
    open: (step, sealed) => (sealed === null ? null : secrets.open(sealed, aboutTurns(step))),
  };
}

function aboutTurns({ executionId, stepId }: OfStep): string {
  return `turns ${executionId} ${stepId}`;
}
