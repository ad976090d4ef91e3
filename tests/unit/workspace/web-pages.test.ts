import { expect, test } from 'vitest';
import { hostsIn } from '../../../src/app/workspace/tools/web-pages.tsx';

test('G3.27 hosts are taken from names, addresses and other alphabets, each once, and lines that name none are told', () => {
  const text = 'https://Docs.example.com/a?b#c\ndocs.example.com, *.example.org\nпример.рф:8443\nlocalhost *.com https:// 10.0.0.1';
  expect(hostsIn(text)).toEqual({
    hosts: ['docs.example.com', '*.example.org', 'xn--e1afmkfd.xn--p1ai:8443', '10.0.0.1'],
    wrong: ['localhost', '*.com', 'https://'],
  });
  expect(hostsIn(' \n ')).toEqual({ hosts: [], wrong: [] });
});
