import { expect, test } from 'vitest';
import { demoParts, demoTexts } from '../../../scripts/client-build/demo-parts.ts';
import { demoWeight } from '../../../scripts/page-weight/demo-weight.ts';

const drawing = 'node_modules/pixi.js/lib/rendering/renderers/gl/WebGLRenderer.mjs';
const parts = demoParts({ [drawing]: { file: 'drawing.js' } });
const pieces = ['index.html', ...parts, ...demoTexts('ru'), ...demoTexts('en')];
const manifest = Object.fromEntries(pieces.map((name) => [name, { file: `assets/${name.replaceAll('/', '-')}.js`, imports: ['shared'] }]));
const built = {
  manifest: { ...manifest, shared: { file: 'assets/shared.js' }, other: { file: 'assets/other.js' } },
  textOf: (asset: string) => (asset === 'demo.worker-1.js' ? 'import{a as b}from"./common-4.js";import(`./later-5.js`)' : ''),
  assets: ['demo.worker-1.js', 'demo.worker-1.js.br', 'inter-latin-wght-normal-2.woff2', 'inter-cyrillic-wght-normal-3.woff2'],
};
/** The files of the page, each piece, and each text of a language; shared files count once. */
const pieceCount = 1 + parts.length + demoTexts('en').length + 1;

test('P2.19 the demonstration weighs its page, its pieces, its worker and the faces of its letters, each once', () => {
  const asked: string[] = [];
  const weight = (language: 'ru' | 'en') => demoWeight({ ...built, sentBytes: (file) => asked.push(file) && 10 }, language);
  expect(weight('en')).toBe(10 * (2 + pieceCount + 2));
  expect(asked).toContain('.pages/en/public-test.html');
  expect(asked).toContain('assets/demo.worker-1.js');
  expect(asked).toContain('assets/common-4.js');
  expect(asked).not.toContain('assets/later-5.js');
  expect(asked).not.toContain('assets/other.js');
  expect(asked).not.toContain('assets/inter-cyrillic-wght-normal-3.woff2');
  expect(weight('ru')).toBe(10 * (2 + pieceCount + 3));
});

test('P2.19 a build without the engine of the demonstration cannot be weighed', () => {
  expect(() => demoWeight({ ...built, assets: [], sentBytes: () => 1 }, 'en')).toThrow('demo.worker-');
});
