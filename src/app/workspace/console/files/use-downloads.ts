import { useState } from 'react';
import { failed, type Outcome, type Problem } from '../../../../model/problem.ts';
import { useCall } from '../../../../workers/bridge/use-workspace.ts';
import { saveFile } from '../../frame/save-file.ts';

type What = 'archive' | 'patch' | 'bundle';

/** Downloads an execution's files as a ZIP archive, its changes to the project as a patch, or both as a Git bundle. `name`: that of the files, before the dot. */
export function useDownloads(executionId: string) {
  const call = useCall();
  const [busy, setBusy] = useState<What | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const name = `artel-${executionId.slice(-12)}`;

  const save = async (what: What, load: () => Promise<Outcome<Blob>>, fileName: string) => {
    if (busy) return;
    setBusy(what);
    const answer = await load();
    setBusy(null);
    setProblem(answer.ok ? null : answer.error);
    if (answer.ok) saveFile(answer.value, fileName);
  };
  const archive = async (): Promise<Outcome<Blob>> => {
    const answer = await call('execution.archive', { params: { id: executionId } });
    return answer.ok ? blob([new Uint8Array(answer.value)], 'application/zip') : answer;
  };
  const patch = async (): Promise<Outcome<Blob>> => {
    const answer = await call('execution.patch', { params: { id: executionId } });
    if (!answer.ok) return answer;
    const part = typeof answer.value === 'string' ? answer.value : new Uint8Array(answer.value);
    return part.length === 0 ? failed('files.noChanges') : blob([part], 'text/x-patch');
  };
  const bundle = async (): Promise<Outcome<Blob>> => {
    const answer = await call('execution.bundle', { params: { id: executionId } });
    return answer.ok ? blob([new Uint8Array(answer.value)], 'application/x-git-bundle') : answer;
  };
  return {
    busy,
    problem,
    name,
    saveArchive: () => void save('archive', archive, `${name}.zip`),
    saveBundle: () => void save('bundle', bundle, `${name}.bundle`),
    savePatch: () => void save('patch', patch, `${name}.patch`),
  };
}

function blob(parts: BlobPart[], type: string): Outcome<Blob> {
  return { ok: true, value: new Blob(parts, { type }) };
}
