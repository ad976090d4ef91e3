import { isDialog } from '../../../../../rules/card.ts';
import { suggestTestCommand } from '../../../../model/run/suggest-test-command.ts';
import { useObserved } from '../../../../state/use-observed.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../../server-data/use-read.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';

const manifestPath = 'package.json';

/** One press for the usual test command of the user's files; nothing where none is known. C5.07 */
export function SuggestedCommand({ onUse }: { onUse: (command: string) => void }) {
  const { t } = useTranslation('runner');
  const command = useSuggestedCommand();
  if (command === null) return null;
  return (
    <Button size="s" variant="primary" onClick={() => onUse(command)}>
      {t('suggested', { command })}
    </Button>
  );
}

/** The command of the files that go with a dialog's next run, else of those of the shown run. */
function useSuggestedCommand(): string | null {
  const { drafts } = useWorkspaceContext();
  const ofRun = useWorkspace(({ run }) => run.execution?.inputSetId ?? null);
  const nodes = useWorkspace(({ document }) => document.nodes);
  const dialogs = Object.values(nodes).filter(isDialog);
  // A set is there before all of its files are.
  const setOf = (id: string) => (drafts.isAddingFiles(id) ? null : drafts.inputSetId(id));
  const ofDialog = useObserved(drafts, () => dialogs.map(({ id }) => setOf(id)).find((id) => id !== null) ?? null);
  const setId = ofDialog ?? ofRun;
  const files = useRead('input.files', setId === null ? null : { params: { id: setId } }).value?.files ?? [];
  const paths = new Set(files.map(({ path }) => path));
  const hasManifest = paths.has(manifestPath);
  const manifest = useRead(
    'input.fileText',
    setId !== null && hasManifest ? { params: { id: setId }, query: { path: manifestPath } } : null,
  );
  return hasManifest && manifest.loading ? null : suggestTestCommand(paths, manifest.value);
}
