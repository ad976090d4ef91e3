import { useMemo } from 'react';
import { useImmer } from 'use-immer';
import type { Sketch } from '../../../canvas/picture/mark.ts';
import { createMeasure } from '../../../canvas/picture/measure-text.ts';
import { sketchCanvas } from '../../../canvas/picture/sketch-canvas.ts';
import { pngScale, writePng } from '../../../canvas/picture/write-png.ts';
import { writeSvg } from '../../../canvas/picture/write-svg.ts';
import { useCardTexts } from '../../../canvas/use-card-texts.ts';
import { withContents } from '../../../model/document/annotations.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Segmented } from '../../../ui/controls/fields/segmented.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useTheme } from '../../../ui/theme.tsx';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { fileName } from '../actions/file-actions.ts';
import { usePanels } from '../frame/panels.tsx';
import { saveFile } from '../frame/save-file.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import styles from './picture-dialog.module.css';

/** Asks for the extent and format of a saved picture: all or the selection, PNG or SVG. */
export function PictureDialog() {
  const { t } = useTranslation('actions');
  const { panels, show } = usePanels();
  const open = panels.window?.kind === 'picture';
  const close = () => show({ window: null });
  return (
    <Modal open={open} onClose={close} title={t('picture.title')} description={t('picture.text')}>
      {open && <Question onClose={close} />}
    </Modal>
  );
}

type PictureChoice = { format: 'png' | 'svg'; scale: '1' | '2'; part: 'all' | 'selected'; isBusy: boolean; hasFailed: boolean };

function Question({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('actions');
  const { view } = useWorkspaceContext();
  const store = useStore();
  const texts = useCardTexts();
  const { theme } = useTheme();
  const selected = view.ephemeral.selectedNodes;
  const [{ format, scale, part, isBusy, hasFailed }, update] = useImmer<PictureChoice>(() => ({
    format: 'png',
    scale: '2',
    part: selected.size > 1 ? 'selected' : 'all',
    isBusy: false,
    hasFailed: false,
  }));
  const choose = (changes: Partial<PictureChoice>) => update((choice) => void Object.assign(choice, changes));
  const sketch = useMemo(() => {
    const { document, run, agents } = store.getState();
    const nodeIds = part === 'selected' ? withContents(document.nodes, selected) : null;
    return sketchCanvas({ document, run, agents: agents.byId, texts, theme, measure: createMeasure(), nodeIds });
  }, [store, texts, theme, part, selected]);
  const wanted = Number(scale);
  const given = sketch ? pngScale(sketch, wanted) : wanted;

  const save = async () => {
    if (!sketch) return;
    choose({ isBusy: true, hasFailed: false });
    try {
      const name = `${fileName(store.getState().project?.name)}.${format}`;
      const blob = format === 'svg' ? new Blob([writeSvg(sketch)], { type: 'image/svg+xml' }) : await writePng(sketch, given);
      saveFile(blob, name);
      onClose();
    } catch (fault) {
      // The browser ran out of memory: the error is also reported.
      reportError(fault);
      choose({ isBusy: false, hasFailed: true });
    }
  };
  return (
    <div className={styles.form} data-testid="picture">
      <Choice label={t('picture.format')}>
        <Segmented
          label={t('picture.format')}
          value={format}
          options={[
            { value: 'png', label: 'PNG' },
            { value: 'svg', label: 'SVG' },
          ]}
          onChange={(next) => choose({ format: next })}
        />
      </Choice>
      {selected.size > 0 && (
        <Choice label={t('picture.part')}>
          <Segmented
            label={t('picture.part')}
            value={part}
            options={[
              { value: 'all', label: t('picture.all') },
              { value: 'selected', label: t('picture.selected') },
            ]}
            onChange={(next) => choose({ part: next })}
          />
        </Choice>
      )}
      {format === 'png' && (
        <Choice label={t('picture.scale')}>
          <Segmented
            label={t('picture.scale')}
            value={scale}
            options={[
              { value: '1', label: '1×' },
              { value: '2', label: '2×' },
            ]}
            onChange={(next) => choose({ scale: next })}
          />
        </Choice>
      )}
      <p className={styles.size} role="status">
        {sketch ? t('picture.size', sizeOf(sketch, format === 'png' ? given : 1)) : t('picture.nothing')}
      </p>
      {format === 'png' && given < wanted && (
        <p className={styles.limit}>{t('picture.limited', { percent: Math.max(1, Math.floor(given * 100)) })}</p>
      )}
      {hasFailed && <p role="alert">{t('picture.failed')}</p>}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('common:cancel')}</Button>
        <Button
          variant="primary"
          disabled={!sketch || isBusy}
          icon={isBusy ? <Spinner size={16} /> : undefined}
          onClick={() => void save()}
        >
          {t('words:save')}
        </Button>
      </div>
    </div>
  );
}

function Choice({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.choice}>
      <span aria-hidden>{label}</span>
      {children}
    </div>
  );
}

function sizeOf({ bounds }: Sketch, scale: number): { width: number; height: number } {
  return { width: Math.floor((bounds.right - bounds.left) * scale), height: Math.floor((bounds.bottom - bounds.top) * scale) };
}
