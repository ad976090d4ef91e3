import { type ResultItem, type ResultUpdate, resultStatus, resultType } from '../../../contract/result.ts';
import { parsedMetadata } from './recorder.ts';
import type { ResultRow } from './repository.ts';

type Fields = Pick<ResultItem, 'userRequest' | 'summary' | 'tags' | 'agentsCount' | 'stepsCount'>;
type Ending = Pick<ResultItem, 'finalResult' | 'status' | 'type'>;

/** What a client's words come to: fields that it names, how the run ended if it says so, and fields for the metadata. */
export type GivenResult = { fields: Partial<Fields>; ending: Partial<Ending>; metadata: Record<string, unknown> };

/**
 * Reads an item as a client sent it, other names and all. A response makes it Completed and a Success, unless the client says that
 * it is something else; status and type follow each other where only one is given.
 */
export function readResult(given: ResultUpdate, now: Date): GivenResult {
  const { userRequest, summary, tags, agentsCount, stepsCount } = given;
  const response = given.agentResponse?.trim() ? given.agentResponse : undefined;
  const saidStatus = given.resultStatus ?? given.status;
  const saidType = given.resultType ?? given.type;
  const fallback = response === undefined ? undefined : resultStatus.completed;
  const status = saidStatus ?? (saidType === undefined ? fallback : statusOfType[saidType]);
  const metadata =
    typeof given.metadata === 'object' ? parsedMetadata(JSON.stringify(given.metadata)) : parsedMetadata(given.metadata ?? '{}');
  return {
    fields: present({ userRequest, summary, tags, agentsCount, stepsCount }),
    ending: present({ finalResult: response ?? given.finalResult, status, type: saidType ?? (status && typeOfStatus[status]) }),
    metadata: response === undefined ? metadata : { ...metadata, responseTimestamp: now.toISOString() },
  };
}

/** What changes of an item. One whose run has ended is never set back to Processing by words that come late. */
export function changeOf(known: Pick<ResultRow, 'status'>, { fields, ending }: GivenResult): Partial<Fields & Ending> {
  const late = known.status !== resultStatus.processing && ending.status === resultStatus.processing;
  return late ? fields : { ...fields, ...ending };
}

/** An item as it begins, for what a client leaves out. */
export const firstEnding: Ending = { finalResult: 'Processing...', status: resultStatus.processing, type: resultType.processing };

const statusOfType = { 1: 1, 2: 2, 4: 3 } as const satisfies Record<ResultItem['type'], ResultItem['status']>;
const typeOfStatus = { 1: 1, 2: 2, 3: 4, 4: 4 } as const satisfies Record<ResultItem['status'], ResultItem['type']>;

function present<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
