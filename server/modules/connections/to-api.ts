import type { ConnectionTest, ModelConnection } from '../../../contract/model-connection.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { shownAddress } from '../../platform/egress/address-secrets.ts';
import type { OperatorConnection } from './operator-connections.ts';
import type { ConnectionRow } from './repository.ts';
import type { StoredProblem, StoredTest } from './tables.ts';

export function toConnection(row: ConnectionRow, agents: number, language: Language): ModelConnection {
  return {
    id: row.id,
    owner: row.projectId === null ? 'user' : 'project',
    projectId: row.projectId,
    name: row.name,
    provider: row.provider,
    address: row.address && shownAddress(row.address),
    folderId: row.folderId,
    hasKey: row.keySealed !== null,
    keyLast4: row.keyLast4,
    headerNames: row.headerNames,
    extraBody: row.extraBody,
    defaultModel: row.defaultModel,
    modelCount: row.modelCount,
    modelsAt: row.modelsAt?.toISOString() ?? null,
    modelsProblem: toProblem(problemIn(row.modelsProblem), language),
    tested: row.tested && toTest(row.tested, language),
    agents,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

type OperatorFacts = { modelCount: number | null; modelsAt: Date | null; problem: StoredProblem | null; since: Date };

/** The operator's connection tells neither its address nor its key. */
export function toOperatorConnection(
  { id, provider, name, defaultModel }: OperatorConnection,
  { modelCount, modelsAt, problem, since }: OperatorFacts,
  agents: number,
  language: Language,
): ModelConnection {
  const none = { projectId: null, address: null, folderId: null, keyLast4: null, headerNames: [], extraBody: null, tested: null };
  return {
    ...none,
    id,
    owner: 'operator',
    provider,
    name,
    defaultModel,
    hasKey: true,
    modelCount,
    agents,
    modelsAt: modelsAt?.toISOString() ?? null,
    modelsProblem: toProblem(problem, language),
    createdAt: since.toISOString(),
    updatedAt: since.toISOString(),
  };
}

/** What the server has said stands behind the sentence of the reason. */
export function toProblem(problem: StoredProblem | null, language: Language): ModelConnection['modelsProblem'] {
  if (problem === null) return null;
  const sentence = translate(language, `problem.${problem.reason}`);
  return { reason: problem.reason, message: problem.detail === '' ? sentence : `${sentence} ${problem.detail}` };
}

export function toTest(tested: StoredTest, language: Language): ConnectionTest {
  return { ...tested, problem: toProblem(tested.problem, language) };
}

export function problemIn(stored: string | null): StoredProblem | null {
  if (stored === null) return null;
  const [reason = '', ...detail] = stored.split(' ');
  return { reason: reason as StoredProblem['reason'], detail: detail.join(' ') };
}

export function storedProblem(problem: StoredProblem | null): string | null {
  return problem && `${problem.reason} ${problem.detail}`.trim();
}
