import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type LeftOut, watchLimits } from '../../../src/ui/controls/fields/watch-limits.ts';

/** A field in a frame: events of the one reach the other. */
class Field extends EventTarget {
  value = 'abc';
  maxLength = 5;
  selectionStart = 3;
  selectionEnd = 3;
  type = 'text';
}

let field: Field;
let heard: [string, boolean][];
let stop: () => void;

beforeEach(() => {
  field = new Field();
  heard = [];
  stop = watchLimits(field, ({ text, isTyped }: LeftOut) => heard.push([text, isTyped]));
});

const tell = (type: string, more: object) => field.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), more));
const paste = (data: string | null, more: object = {}) => tell('beforeinput', { inputType: 'insertFromPaste', data, ...more });

test('G8.33 a paste that exceeds the limit names the omitted part, and a paste that fits shows nothing', () => {
  paste('12');
  expect(heard).toEqual([]);
  paste('12345');
  expect(heard).toEqual([['345', false]]);
});

test('G8.33 a selection makes room, and lines count as the field counts them', () => {
  Object.assign(field, { selectionStart: 0 });
  paste('12\r\n45');
  expect(heard).toEqual([]);
  paste('12\r\n456');
  expect(heard).toEqual([['6', false]]);
});

test('G8.33 a drop, whose text comes in another way, is told too', () => {
  paste(null, { inputType: 'insertFromDrop', dataTransfer: { getData: () => '1234' } });
  expect(heard).toEqual([['34', false]]);
});

test('G8.33 typing into a full field shows a notice, and removing text does not', () => {
  field.value = 'abcde';
  tell('beforeinput', { inputType: 'insertText', data: 'x' });
  tell('beforeinput', { inputType: 'deleteContentBackward', data: null });
  expect(heard).toEqual([['x', true]]);
});

test('G8.33 a composed text is told at its end, when the browser cuts it', () => {
  tell('compositionstart', {});
  field.value = 'abcにほんご';
  tell('beforeinput', { inputType: 'insertCompositionText', data: 'にほんご' });
  expect(heard).toEqual([]);
  tell('compositionend', { data: '日本語' });
  expect(heard).toEqual([['語', true]]);
});

test('G8.33 a text that went elsewhere, a field without a limit, and an ended watch are silent', () => {
  field = new Field();
  field.addEventListener('beforeinput', (event) => event.preventDefault());
  watchLimits(field, ({ text }) => heard.push([text, false]));
  paste('12345');
  field = Object.assign(new Field(), { maxLength: -1 });
  stop = watchLimits(field, ({ text }) => heard.push([text, false]));
  paste('12345');
  field.maxLength = 5;
  stop();
  paste('12345');
  expect(heard).toEqual([]);
});

test('G8.33 no field has a limit that it does not tell of', () => {
  const root = join(import.meta.dirname, '../../..');
  const files = globSync('src/**/*.tsx', { cwd: root });
  const bare = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const hasOwnField = [...text.matchAll(/<(?:input|textarea)\b/g)].some(({ index }) => /\bmaxLength\b/.test(tagAt(text, index)));
    // The notes of a dialog's message are given what was left out.
    const tells = text.includes('<LeftOutNote') || /<MessageNotes [^>]*\blimits\b/.test(text);
    return hasOwnField && !(text.includes('useLeftOut()') && tells);
  });
  expect(bare).toEqual([]);
  expect(readFileSync(join(root, 'src/canvas/overlay/dialog/message-notes.tsx'), 'utf8')).toContain(
    '<LeftOutNote leftOut={limits.leftOut}',
  );
  expect(readFileSync(join(root, 'src/ui/controls/fields/field.tsx'), 'utf8')).toContain('useLeftOut()');
  // The fields of the page stand in a Field, which tells it.
  for (const name of ['text-field', 'text-area']) {
    expect(readFileSync(join(root, `src/ui/controls/fields/${name}.tsx`), 'utf8')).toContain('<Field ');
  }
});

/** The opening tag that begins at a place. */
function tagAt(text: string, index: number): string {
  return text.slice(index, text.indexOf('/>', index));
}
