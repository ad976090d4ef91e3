import { type StorageKind, storageKinds } from '../../../contract/storage.ts';
import { ApiError } from '../../http/api-error.ts';

const mebibyte = 1024 * 1024;
const inMebibytes = (bytes: number) => Math.ceil(bytes / mebibyte);

/** The refusal of a write that the account has no room for. Its sentence says what takes the most, and what frees it. */
export function quotaReached(kinds: Readonly<Record<StorageKind, number>>, limitBytes: number): ApiError {
  const [largest] = byBytes(kinds);
  const usedBytes = Object.values(kinds).reduce((sum, bytes) => sum + bytes, 0);
  const params = { used: inMebibytes(usedBytes), limit: inMebibytes(limitBytes), most: inMebibytes(largest?.bytes ?? 0) };
  return new ApiError('quota_reached', { params, details: { reason: largest?.kind, usedBytes, limitBytes } });
}

/** The refusal of a further project or pipeline. */
export function countReached(what: 'projects' | 'pipelines', limit: number): ApiError {
  return new ApiError('quota_reached', { params: { limit }, details: { reason: `count_${what}`, limit } });
}

/** Returns the kinds with their bytes, the largest first. */
export function byBytes(kinds: Readonly<Record<StorageKind, number>>): { kind: StorageKind; bytes: number }[] {
  return storageKinds.map((kind) => ({ kind, bytes: kinds[kind] ?? 0 })).sort((one, other) => other.bytes - one.bytes);
}
