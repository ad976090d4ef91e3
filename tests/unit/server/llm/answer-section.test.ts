import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerHeading, splitThoughts } from '../../../../server/platform/llm/answer-section.ts';

describe('what an agent wrote', () => {
  test.each(['# Answer', '# Ответ', '## answer', '# **Answer**', '# Answer:', '# Answer #', '**Answer:**', '__Ответ__:', '  # ОТВЕТ  '])(
    'R46.01 a text is split at %j into thoughts and answer',
    (heading) => {
      const written = `I choose the short way.\n\n${heading}\n\n## Plan\n\nOne step.`;
      expect(splitThoughts(written)).toEqual({ thoughts: 'I choose the short way.', answer: '## Plan\n\nOne step.' });
      expect(splitThoughts(written.replaceAll('\n', '\r\n')).thoughts).toBe('I choose the short way.');
    },
  );

  test.each(['Answer', 'Answer: yes', '# Answers', '### Answer', '# The answer', '- # Answer', '    # Answer', '**Answer', '> # Answer'])(
    'R46.01 a text is one answer where %j is not its answer heading',
    (line) => {
      const written = `A thought.\n${line}\nThe rest.`;
      expect(splitThoughts(written)).toEqual({ thoughts: null, answer: written });
    },
  );

  test.each([
    ['```md\n# Answer\n```', '```md\n# Answer\n```'],
    ['~~~\n```\n# Answer\n~~~', '~~~\n```\n# Answer\n~~~'],
    ['````\n```\n# Answer\n````', '````\n```\n# Answer\n````'],
  ])('R46.01 keeps its code blocks whole: %j', (block) => {
    expect(splitThoughts(block)).toEqual({ thoughts: null, answer: block });
    expect(splitThoughts(`${block}\n# Answer\nDone`)).toEqual({ thoughts: block, answer: 'Done' });
  });

  test('R46.01 a long fence that ends in a line separator is read as a fence in linear time', () => {
    const block = `${'~'.repeat(400_000)}\u2028\n# Answer\n${'~'.repeat(400_000)}`;
    expect(splitThoughts(`${block}\n# Answer\nDone`)).toEqual({ thoughts: block, answer: 'Done' });
  });

  test('R46.01 a text is split once, at the first heading', () => {
    expect(splitThoughts('a\n# Answer\nb\n# Answer\nc')).toEqual({ thoughts: 'a', answer: 'b\n# Answer\nc' });
  });

  test('R46.01 a text has no thoughts where no text comes before the heading', () => {
    expect(splitThoughts('# Answer\n\nDone')).toEqual({ thoughts: null, answer: 'Done' });
  });

  test('R46.01 a text is one answer where no text comes below the heading', () => {
    expect(splitThoughts('All of it\n# Answer\n\n')).toEqual({ thoughts: null, answer: 'All of it' });
    expect(splitThoughts('# Answer\n')).toEqual({ thoughts: null, answer: '# Answer\n' });
  });

  test('R46.01 a text may hold reasoning in a leading block', () => {
    expect(splitThoughts('<think>\nHm.\n</think>\n\nDone')).toEqual({ thoughts: 'Hm.', answer: 'Done' });
    expect(splitThoughts('<think>Hm.</think>\nSo:\n# Answer\nDone')).toEqual({ thoughts: 'Hm.', answer: 'Done' });
    expect(splitThoughts('<think>Hm, and no end')).toEqual({ thoughts: null, answer: '<think>Hm, and no end' });
    expect(splitThoughts('<think>Hm.</think> ')).toEqual({ thoughts: null, answer: '<think>Hm.</think> ' });
  });
});

const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('```', '~~~', '````ts path=a.ts', '# Answer', '## Ответ', '**Answer**', '', '  ', '<think>', '</think>'),
);
const written = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

test('R46.01 the answer is always a part of the text, and blank only if the whole text is', () => {
  fc.assert(
    fc.property(written, (text) => {
      const { thoughts, answer } = splitThoughts(text);
      expect(text).toContain(answer);
      expect(answer.trim() === '').toBe(text.trim() === '');
      if (thoughts !== null) {
        expect(thoughts.trim()).not.toBe('');
        expect(text.indexOf(thoughts)).toBeLessThan(text.lastIndexOf(answer));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('R46.01 thoughts and an answer that are joined by the heading are split into the same two again', () => {
  const plain = fc
    .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 6 })
    .map((lines) => lines.join('\n').replace(/[`~<#*_]/g, ''))
    .filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(plain, written, fc.constantFrom('ru', 'en'), (thoughts, rest, language) => {
      fc.pre(rest.trim() !== '');
      const { thoughts: found, answer } = splitThoughts(`${thoughts}\n\n${answerHeading(language)}\n\n${rest}`);
      expect({ found, answer }).toEqual({ found: thoughts.trim(), answer: rest.trim() });
    }),
  );
});
