import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, Transaction } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { parser } from '@lezer/markdown';

export type PromptEditorView = {
  /** The element with the focus and the accessible name. */
  element: HTMLElement;
  /** Replaces the text with an external one; an equal text changes nothing. */
  setText(text: string): void;
  setReadOnly(readOnly: boolean): void;
  setAttributes(attributes: Record<string, string>): void;
  focus(selection: { from: number; to: number }): void;
  destroy(): void;
};

/** Without embedded languages, which would double the editor's size. */
const markdown = new Language(defineLanguageFacet(), parser, [], 'markdown');

/** Prompts are mostly plain text with a little Markdown: marked, not coloured. */
const marks = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.monospace, tags.url], fontFamily: 'var(--font-mono)' },
  { tag: [tags.processingInstruction, tags.quote, tags.comment], color: 'var(--muted)' },
]);

const look = EditorView.theme({
  '&': { height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '22px' },
  '.cm-content': { padding: '16px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 18px' },
});

/** Creates an editor of one prompt in `parent`. `changed` is called for the user's changes, not for `setText`. */
export function createPromptEditor(parent: HTMLElement, text: string, changed: (text: string) => void): PromptEditorView {
  const readOnly = new Compartment();
  const attributes = new Compartment();
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      history(),
      keymap.of([...historyKeymap, ...defaultKeymap]),
      markdown,
      syntaxHighlighting(marks),
      EditorView.lineWrapping,
      look,
      readOnly.of([]),
      attributes.of([]),
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        if (docChanged && transactions.some((each) => each.annotation(Transaction.userEvent) !== undefined)) changed(state.doc.toString());
      }),
    ],
  });
  return {
    element: view.contentDOM,
    setText(next) {
      const { doc } = view.state;
      if (doc.toString() !== next) view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
    },
    setReadOnly: (value) => view.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(value)) }),
    setAttributes: (value) => view.dispatch({ effects: attributes.reconfigure(EditorView.contentAttributes.of(value)) }),
    focus({ from, to }) {
      view.dispatch({ selection: { anchor: from, head: to } });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
