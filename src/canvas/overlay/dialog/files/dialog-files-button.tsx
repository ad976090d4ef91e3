import { type ChangeEvent, type DragEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Dispatch } from '../../../../model/commands.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../../ui/controls/buttons/icon-button.tsx';
import { excess, insertedText } from '../../../../ui/controls/fields/watch-limits.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { FileUp, Paperclip } from '../../../../ui/icons/icons.ts';
import type { DialogDrafts } from '../dialog-drafts.ts';
import { DialogPopover } from '../dialog-popover.tsx';
import styles from './dialog-files.module.css';
import { filesBeside } from './dialog-files.ts';
import { droppedFiles } from './dropped-files.ts';
import { GitAddressForm } from './git-address-form.tsx';

/** The shortest text that becomes a file when the message is full. What is left out of shorter ones is shown. */
const minFileLength = 1_000;

type Props = {
  nodeId: string;
  drafts: DialogDrafts;
  dispatch: Dispatch;
  /** The text box, where files can be pasted. */
  box: RefObject<HTMLTextAreaElement | null>;
};

/** Adds files to a dialog: by a button, by dropping them on the card, or by pasting them into its box. */
export function DialogFilesButton({ nodeId, drafts, dispatch, box }: Props) {
  const { t } = useTranslation('inputs');
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const files = filesBeside(drafts, dispatch);
  const isDragging = useDraggedFiles();

  useEffect(() => {
    const target = box.current;
    const paste = (event: ClipboardEvent) => {
      const pasted = [...(event.clipboardData?.files ?? [])];
      if (pasted.length === 0) return;
      event.preventDefault();
      files.add(nodeId, pasted);
    };
    // A text that is too long for the message is no loss: it goes with the message as a file.
    const insert = (event: InputEvent) => {
      const text = insertedText(event);
      if (!target || text.length < minFileLength || excess(target, text) === '') return;
      event.preventDefault();
      files.addText(nodeId, text, (number) => t('pastedName', { number }));
    };
    target?.addEventListener('paste', paste);
    target?.addEventListener('beforeinput', insert);
    return () => {
      target?.removeEventListener('paste', paste);
      target?.removeEventListener('beforeinput', insert);
    };
  }, [box, files, nodeId, t]);

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    files.add(nodeId, [...(event.target.files ?? [])]);
    // The same file can be chosen again.
    event.target.value = '';
    setOpen(false);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void droppedFiles(event.dataTransfer).then((dropped) => files.add(nodeId, dropped.files, dropped.unreadable));
  };

  return (
    <>
      <DialogPopover
        open={open}
        onOpenChange={setOpen}
        title={t('add')}
        focusesFirst={false}
        trigger={
          <IconButton
            className={styles.add}
            data-canvas-control
            data-quiet
            data-testid="add-files"
            size={24}
            label={t('add')}
            icon={<Paperclip size={14} aria-hidden />}
          />
        }
      >
        <p className={styles.hint}>{t('hint')}</p>
        <Button size="s" icon={<FileUp size={14} aria-hidden />} onClick={() => input.current?.click()}>
          {t('choose')}
        </Button>
        <GitAddressForm
          dispatch={dispatch}
          onSend={(address) => {
            files.addRepository(nodeId, address);
            setOpen(false);
          }}
        />
      </DialogPopover>
      <input ref={input} type="file" multiple hidden data-testid={`files-of-${nodeId}`} aria-label={t('choose')} onChange={choose} />
      {isDragging && (
        // biome-ignore lint/a11y/noStaticElementInteractions: a target of the pointer alone; the button does the same for the keyboard
        <div
          className={styles.drop}
          data-canvas-control
          data-testid="drop-files"
          onDragOver={(event) => {
            event.preventDefault();
            event.dataTransfer.dropEffect = 'copy';
          }}
          onDrop={drop}
        >
          {t('drop')}
        </div>
      )}
    </>
  );
}

/** Whether files are dragged over the page. A file that misses the card is not opened by the browser in the place of the page. */
function useDraggedFiles(): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const hasFiles = (event: globalThis.DragEvent) => event.dataTransfer?.types.some((type) => type.toLowerCase() === 'files') ?? false;
    const isField = ({ target }: Event) => target instanceof HTMLInputElement && target.type === 'file';
    const over = (event: globalThis.DragEvent) => {
      if (!hasFiles(event)) return;
      setDragging(true);
      if (!isField(event)) event.preventDefault();
    };
    const leave = (event: globalThis.DragEvent) => event.relatedTarget === null && setDragging(false);
    const drop = (event: globalThis.DragEvent) => {
      setDragging(false);
      if (hasFiles(event) && !isField(event)) event.preventDefault();
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return isDragging;
}
