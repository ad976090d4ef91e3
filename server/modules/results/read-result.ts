import type { ResultItem, ResultUpdate } from '../../../contract/executions/result.ts';
import { resultStatus, resultType } from '../../../contract/executions/result-kinds.ts';
import { parsedMetadata } from './recorder.ts';
import type { ResultRow } from './repository.ts';

type Fields = Pick<ResultItem, 'userRequest' | 'summary' | 'tags' | 'agentsCount' | 'stepsCount'>;
type Ending = Pick<ResultItem, 'finalResult' | 'status' | 'type'>;

/** The parsed item of a client: its own fields, the outcome if there is one, and fields for the metadata. */
export type ParsedResult = { fields: Partial<Fields>; ending: Partial<Ending>; metadata: Record<string, unknown> };

/**
 * Parses an item from a client, also with other names of fields. A response makes it Completed and a Success unless the client says
 * otherwise; status and type follow each other where only one is given.
 */
export function readResult(given: ResultUpdate, now: Date): ParsedResult {
  const { userRequest, summary, tags, agentsCount, stepsCount } = given;
  const response = given.agentResponse?.trim() ? given.agentResponse : undefined;
  const givenStatus = given.resultStatus ?? given.status;
  const givenType = given.resultType ?? given.type;
  const fallback = response === undefined ? undefined : resultStatus.completed;
  const status = givenStatus ?? (givenType === undefined ? fallback : statusOfType[givenType]);
  const metadata =
    typeof given.metadata === 'object' ? parsedMetadata(JSON.stringify(given.metadata)) : parsedMetadata(given.metadata ?? '{}');
  return {
    fields: present({ userRequest, summary, tags, agentsCount, stepsCount }),
    ending: present({ finalResult: response ?? given.finalResult, status, type: givenType ?? (status && typeOfStatus[status]) }),
    metadata: response === undefined ? metadata : { ...metadata, responseTimestamp: now.toISOString() },
  };
}

/** Returns the changes of an item. An ended run is never set back to Processing by a late message. */
export function resultChange(known: Pick<ResultRow, 'status'>, { fields, ending }: ParsedResult): Partial<Fields & Ending> {
  const late = known.status !== resultStatus.processing && ending.status === resultStatus.processing;
  return late ? fields : { ...fields, ...ending };
}

/** Returns a new item with the defaults of fields that the client left out. */
export const defaultEnding: Ending = { finalResult: 'Processing...', status: resultStatus.processing, type: resultType.processing };

const statusOfType = { 1: 1, 2: 2, 4: 3 } as const satisfies Record<ResultItem['type'], ResultItem['status']>;
const typeOfStatus = { 1: 1, 2: 2, 3: 4, 4: 4 } as const satisfies Record<ResultItem['status'], ResultItem['type']>;

function present<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
