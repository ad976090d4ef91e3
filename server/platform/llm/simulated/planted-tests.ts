import { posix } from 'node:path';
import { faults } from './planted-fault.ts';
import { plantedScript, scriptSample } from './planted-script.ts';

/** A file that the simulated developer hands over. */
export type PlantedFile = { path: string; content: string };

/** The words of planted files: the mark of simulated files, the names of two tests, and what the failing one says. */
export type PlantedWords = { note: string; main: string; boundary: string; accepted: string };

/** A repository as the simulated developer sees it: paths, the texts that it has read, and the source file that is closest to the task. */
export type SeenRepository = { paths: readonly string[]; textOf: (path: string) => string; source: string };

type Language = 'script' | 'python' | 'go' | 'rust';

const byCommand: readonly [RegExp, Language][] = [
  [/\b(?:pytest|unittest|tox|python3?)\b/, 'python'],
  [/\bgo test\b/, 'go'],
  [/\bcargo\b/, 'rust'],
  [/\b(?:node|npm|npx|pnpm|yarn|bun|vitest|jest|mocha|ava|tape?)\b/, 'script'],
];
const byExtension: Readonly<Record<string, Language>> = { py: 'python', go: 'go', rs: 'rust' };

function languageOf(command: string, path: string): Language | null {
  const known = byCommand.find(([words]) => words.test(command))?.[1];
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return known ?? byExtension[extension] ?? (/^[cm]?[jt]sx?$/.test(extension) ? 'script' : null);
}

/** Returns what is read of a repository before tests are planted in it: its manifest and one of its tests. */
export function samplesFor(command: string, paths: readonly string[], source: string): string[] {
  return languageOf(command, source) === 'script' ? scriptSample(paths) : [];
}

/**
 * Returns a small rule with a fault and a test of it that fails, in the language and the layout of a repository; null where the language of its tests is
 * not known, or where such files are there already.
 */
export function plantInRepository(command: string, seen: SeenRepository, words: PlantedWords): PlantedFile[] | null {
  const language = languageOf(command, seen.source);
  const files = language && plantIn[language](seen, words, command);
  return files?.some(({ path }) => seen.paths.includes(path)) ? null : files;
}

/**
 * The same where a run has no repository, beside the rules that the developer hands over at `rules`: for Node, for a script of a shell, or for Python, as
 * the command needs it. None for any other command.
 */
export function plantAlone(command: string, rules: string, words: PlantedWords): PlantedFile[] {
  const script = command
    .split(/\s/)
    .find((word) => /^[\w./-]+\.sh$/.test(word) && !word.startsWith('/') && !word.includes('..'))
    ?.replace(/^\.\//, '');
  if (script) return shell(script, words);
  const language = languageOf(command, '');
  if (language === 'python') return python({ paths: [], textOf: () => '', source: 'change.py' }, words);
  return language === 'script' ? node(rules, words) : [];
}

function node(rules: string, { note, main, boundary, accepted }: PlantedWords): PlantedFile[] {
  const manifest = { private: true, type: 'module', scripts: { test: 'node --test' } };
  return [
    { path: 'package.json', content: `${JSON.stringify(manifest, null, 2)}\n` },
    {
      path: rules.replace(/\.ts$/, '.test.ts'),
      content: `// ${note}
import { test } from 'node:test';
import { problemsOf } from './rules.ts';

test(${JSON.stringify(main)}, () => {
  if (problemsOf({ title: 'a', details: 'a' }).length > 0) throw new Error('a');
});

test(${JSON.stringify(boundary)}, () => {
  if (problemsOf({ title: 'a', details: '' }).length === 0) throw new Error(${JSON.stringify(`${rules}: ${accepted}`)});
});
`,
    },
  ];
}

const plantIn: Record<Language, (seen: SeenRepository, words: PlantedWords, command: string) => PlantedFile[] | null> = {
  script: plantedScript,
  python,
  go,
  rust,
};

function python({ paths, source }: SeenRepository, { note, main, boundary, accepted }: PlantedWords): PlantedFile[] {
  const sample = paths.find((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path));
  const folder = source.endsWith('.py') ? posix.dirname(source) : '.';
  const rule = posix.join(folder, 'simulated_change.py');
  const path = posix.join(sample ? posix.dirname(sample) : folder, 'test_simulated_change.py');
  const place = posix.relative(posix.dirname(path), rule);
  return [
    { path: rule, content: `# ${note}\ndef accepts(value):\n    ${faults.python.old}\n` },
    {
      path,
      content: `# ${note}
import runpy
import unittest
from pathlib import Path

accepts = runpy.run_path(str(Path(__file__).parent / ${JSON.stringify(place)}))["accepts"]


class SimulatedChangeTest(unittest.TestCase):
    def test_value(self):
        """${main}"""
        self.assertTrue(accepts("a"))

    def test_empty_value(self):
        """${boundary}"""
        self.assertFalse(accepts(""), ${JSON.stringify(`${rule}: ${accepted}`)})
`,
    },
  ];
}

function go({ source, textOf }: SeenRepository, { note, main, boundary, accepted }: PlantedWords): PlantedFile[] | null {
  const name = /^package (\w+)/m.exec(textOf(source))?.[1]?.replace(/_test$/, '');
  if (!source.endsWith('.go') || !name) return null;
  const rule = posix.join(posix.dirname(source), 'simulated_change.go');
  return [
    {
      path: rule,
      content: `package ${name}\n\n// ${note}\nfunc acceptsSimulated(value string) bool {\n\t${faults.go.old}\n}\n`,
    },
    {
      path: rule.replace(/\.go$/, '_test.go'),
      content: `package ${name}

import "testing"

// ${note}: ${main}
func TestSimulatedValue(t *testing.T) {
	if !acceptsSimulated("a") {
		t.Fatal("a")
	}
}

// ${note}: ${boundary}
func TestSimulatedEmptyValue(t *testing.T) {
	if acceptsSimulated("") {
		t.Fatal(${JSON.stringify(`${rule}: ${accepted}`)})
	}
}
`,
    },
  ];
}

/** Beside the nearest manifest. The test names the file of the rule, so that no list of modules has to change. */
function rust({ paths, source }: SeenRepository, { note, main, boundary, accepted }: PlantedWords): PlantedFile[] | null {
  let folder = posix.dirname(source);
  while (folder !== '.' && !paths.includes(`${folder}/Cargo.toml`)) folder = posix.dirname(folder);
  if (folder === '.' && !paths.includes('Cargo.toml')) return null;
  const rule = posix.join(folder, 'src/simulated_change.rs');
  return [
    { path: rule, content: `// ${note}\npub fn accepts(value: &str) -> bool {\n    ${faults.rust.old}\n}\n` },
    {
      path: posix.join(folder, 'tests/simulated_change.rs'),
      content: `// ${note}
#[path = "../src/simulated_change.rs"]
mod simulated_change;

/// ${main}
#[test]
fn value() {
    assert!(simulated_change::accepts("a"));
}

/// ${boundary}
#[test]
fn empty_value() {
    assert!(!simulated_change::accepts(""), ${JSON.stringify(`${rule}: ${accepted}`)});
}
`,
    },
  ];
}

function shell(script: string, { note, main, boundary, accepted }: PlantedWords): PlantedFile[] {
  const rule = posix.join(posix.dirname(script), 'simulated-change.sh');
  return [
    { path: rule, content: `# ${note}\naccepts() {\n  ${faults.shell.old}\n}\n` },
    {
      path: script,
      content: `# ${note}
. "$(dirname "$0")/simulated-change.sh"
accepts a || exit 2
echo "ok 1 - ${main}"
if accepts ""; then
  echo "not ok 2 - ${boundary}"
  echo "  ${rule}: ${accepted}"
  echo "# pass 1"
  echo "# fail 1"
  exit 1
fi
echo "ok 2 - ${boundary}"
echo "# pass 2"
echo "# fail 0"
`,
    },
  ];
}
