import { expect, test } from 'vitest';
import { plainLog } from '../../../rules/text/plain-log.ts';

const esc = '\u001b';

test.for<[what: string, log: string, plain: string]>([
  ['plain text', 'one\n\ttwo\n\n', 'one\n\ttwo\n\n'],
  ['line ends of Windows', 'one\r\ntwo\r\n', 'one\ntwo\n'],
  ['colours', `${esc}[31mred${esc}[0m ${esc}[38;5;12mblue${esc}[m ${esc}[1;38:2::1:2:3mtrue${esc}[22m\n`, 'red blue true\n'],
  [
    'links',
    `${esc}]8;;https://example.com/a${esc}\\a.ts${esc}]8;;${esc}\\ and ${esc}]8;id=1;file:///b\u0007b.ts${esc}]8;;\u0007\n`,
    'a.ts and b.ts\n',
  ],
  ['titles and cursors', `${esc}]0;npm test\u0007${esc}[?25lwaits${esc}[?25h${esc}7${esc}8${esc}(B\n`, 'waits\n'],
  ['a title without an end', `${esc}]0;npm\nnext\n`, '\nnext\n'],
  ['frames by carriage returns', ' 10 %\r 50 %\r100 %\ndone\n', '100 %\ndone\n'],
  ['a frame that ends with a carriage return', 'one 10 %\rone 90 %\r\ntwo\n', 'one 90 %\ntwo\n'],
  ['frames that erase their line', `${esc}[2K${esc}[1G- a${esc}[2K${esc}[1G+ b\n`, '+ b\n'],
  ['a spinner by backspaces', 'work |\b/\b-\b done\n', 'work  done\n'],
  ['frames of several lines', `a 1\nb 1\n${esc}[2Aa 2\nb 2\n${esc}[2A${esc}[2Ka 3\n${esc}[2Kb 3\nend\n`, 'a 3\nb 3\nend\n'],
  ['a line above that is drawn again', `a 1\nb 1\nc 1\n${esc}[2A\rb 2${esc}[2B\rd\n`, 'a 1\nb 2\nc 1\nd\n'],
])('G3.35 a log leaves out what draws it: %s', ([, log, plain]) => {
  expect(plainLog(log)).toBe(plain);
});

test('G3.35 a log that consists only of cursor moves and unfinished sequences is read in short time and little memory', () => {
  const log = `${`${esc}[99999999B`.repeat(2_000)}${`${esc}]8;;`.repeat(100_000)}${`${esc}[`.repeat(100_000)}`;
  expect(plainLog(log).length).toBeLessThan(1_000_000);
});

test('G3.35 backspaces in a long line and moves down cost no more than their log is long', () => {
  expect(plainLog(`${'a'.repeat(500_000)}${'x\b'.repeat(250_000)}`)).toHaveLength(500_000);
  const moves = `${esc}[200B`.repeat(100_000);
  expect(plainLog(moves).length).toBeLessThan(moves.length);
  expect(plainLog('a\u{1f600}\bb')).toBe('ab');
});
