import { standardKeymap } from '@codemirror/commands';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, Text } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { hiddenCharacters } from '../../../../../rules/text/hidden-characters.ts';
import { codeLanguage } from './code-language.ts';
import styles from './files.module.css';
import { hiddenName } from './visible-text.tsx';

const colours = HighlightStyle.define([
  { tag: tags.comment, class: styles.comment },
  { tag: [tags.string, tags.regexp, tags.attributeValue], class: styles.text },
  { tag: [tags.keyword, tags.bool, tags.null, tags.self, tags.atom, tags.tagName], class: styles.keyword },
  { tag: tags.number, class: styles.figure },
]);

const look = EditorView.theme({
  '&': { height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '22px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 20px 0 0' },
  '.cm-gutters': { border: 'none', background: 'var(--floating)', color: 'var(--muted)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '52px', padding: '0 16px 0 8px' },
});

/** A longer text is shown without colours (characters): a line of 2 MB would keep the page busy for a second. */
const maxColoured = 150_000;

/** An invisible character is shown as its number. */
function shownHidden(code: number): HTMLElement {
  const shown = document.createElement('span');
  shown.className = styles.hidden ?? '';
  shown.textContent = hiddenName(code);
  return shown;
}

/**
 * Shows a text in `parent`, to read, select and copy. Colours follow once the language of the file is loaded. Returns a function that removes it.
 */
export function createCodeView(parent: HTMLElement, path: string, text: string): () => void {
  const lines = text.split(/\r\n|\n/);
  // The end of the last line does not begin another line.
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const language = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: Text.of(lines),
      extensions: [
        EditorState.readOnly.of(true),
        EditorState.tabSize.of(4),
        EditorView.contentAttributes.of({ 'aria-label': path, tabindex: '0', inputmode: 'none' }),
        keymap.of(standardKeymap),
        lineNumbers(),
        highlightSpecialChars({ specialChars: hiddenCharacters, render: shownHidden }),
        syntaxHighlighting(colours),
        language.of([]),
        look,
      ],
    }),
  });
  view.scrollDOM.dataset.testid = 'file-text';
  let isGone = false;
  const described = text.length > maxColoured ? null : codeLanguage(path);
  described?.load().then(
    (loaded) => isGone || view.dispatch({ effects: language.reconfigure(loaded) }),
    () => undefined, // Offline, the text stays without colours.
  );
  return () => {
    isGone = true;
    view.destroy();
  };
}
