import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Field, type FieldFrame } from '../../../ui/controls/fields/field.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { importPart } from '../../../ui/loading/import-part.ts';
import type { createPromptEditor, PromptEditorView } from './create-prompt-editor.ts';
import styles from './prompt-editor.module.css';

type Props = FieldFrame & {
  value: string;
  readOnly: boolean;
  onChange: (value: string) => void;
  /** The focusable element. */
  inputRef: RefObject<HTMLElement | null>;
};

/** The prompt in an editor that is loaded when first needed. Until then, and after a failure, it is a plain text box. */
export function PromptEditor({ value, readOnly, onChange, inputRef, ...frame }: Props) {
  const [create, setCreate] = useState<typeof createPromptEditor | null>(null);
  const caret = useRef<{ from: number; to: number } | null>(null);
  useEffect(() => {
    let isGone = false;
    const takeOver = (loaded: typeof createPromptEditor) => {
      if (isGone) return;
      const box = inputRef.current;
      if (box instanceof HTMLTextAreaElement && box === document.activeElement) {
        caret.current = { from: box.selectionStart, to: box.selectionEnd };
      }
      setCreate(() => loaded);
    };
    importPart(() => import('./create-prompt-editor.ts')).then(
      (module) => takeOver(module.createPromptEditor),
      () => undefined, // Offline, the plain box does.
    );
    return () => {
      isGone = true;
    };
  }, [inputRef]);

  if (!create) {
    return (
      <TextArea
        {...frame}
        ref={(box) => {
          inputRef.current = box;
        }}
        readOnly={readOnly}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <Field {...frame}>
      {(wiring) => (
        <Editor
          {...{ create, value, readOnly, onChange, inputRef, caret }}
          attributes={{
            id: wiring.id,
            spellcheck: 'true',
            // An editable element is focusable anyway; the attribute tells checkers that its text can be scrolled by keyboard.
            tabindex: '0',
            'aria-label': frame.label,
            ...(wiring['aria-invalid'] && { 'aria-invalid': 'true' }),
            ...(wiring['aria-describedby'] && { 'aria-describedby': wiring['aria-describedby'] }),
          }}
        />
      )}
    </Field>
  );
}

type EditorProps = Pick<Props, 'value' | 'readOnly' | 'onChange' | 'inputRef'> & {
  create: typeof createPromptEditor;
  /** The caret of the plain text box, if it was used. */
  caret: RefObject<{ from: number; to: number } | null>;
  attributes: Record<string, string>;
};

function Editor({ create, value, readOnly, onChange, inputRef, caret, attributes }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<PromptEditorView | null>(null);
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };
  useLayoutEffect(() => {
    if (!host.current) return;
    const made = create(host.current, latest.current.value, (text) => latest.current.onChange(text));
    editor.current = made;
    inputRef.current = made.element;
    if (caret.current) made.focus(caret.current);
    else if (awaitsFocus(made.element)) made.focus({ from: 0, to: 0 });
    return () => {
      editor.current = null;
      made.destroy();
    };
  }, [create, inputRef, caret]);
  useLayoutEffect(() => editor.current?.setText(value), [value]);
  useLayoutEffect(() => editor.current?.setReadOnly(readOnly), [readOnly]);
  const wiring = JSON.stringify(attributes);
  useLayoutEffect(() => editor.current?.setAttributes(JSON.parse(wiring) as Record<string, string>), [wiring]);
  return <div ref={host} className={styles.editor} data-invalid={attributes['aria-invalid'] === 'true' || undefined} />;
}

/** Whether the dialog of an element is open and no part of it has the focus: it would still focus the box that the editor has replaced. */
function awaitsFocus(element: HTMLElement): boolean {
  const dialog = element.closest('[data-window]');
  const { activeElement } = document;
  if (dialog === null || dialog.matches('[data-closed]')) return false;
  return activeElement === dialog || !activeElement?.closest('[data-window], [role="alertdialog"], [role="listbox"], [role="menu"]');
}
