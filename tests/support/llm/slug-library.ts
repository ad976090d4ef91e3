/** A small JavaScript library as a run's base: its files by path. It has the size and the layout of a well-known one that makes slugs of titles. */
export const slugLibrary: Readonly<Record<string, string>> = {
  '.editorconfig': 'root = true\n\n[*]\nindent_style = tab\nend_of_line = lf\ncharset = utf-8\ninsert_final_newline = true\n',
  '.gitattributes': '* text=auto eol=lf\n',
  '.github/security.md': '# Security\n\nReport a weakness in private to the maintainers. They answer within a week.\n',
  '.github/workflows/main.yml': workflow(),
  '.gitignore': 'node_modules\nyarn.lock\ncoverage\n',
  '.npmrc': 'package-lock=false\n',
  'index.d.ts': declarations(),
  'index.js': implementation(),
  'index.test-d.ts': `import {expectType} from 'tsd';\nimport slug, {slugWithCounter} from './index.js';\n\n${lines(18, (at) => `expectType<string>(slug('Title ${at}', {separator: '_', lowercase: ${at % 2 === 0}}));`)}expectType<string>(slugWithCounter()('a'));\n`,
  license: `MIT License\n\n${lines(14, (at) => `The terms of use, part ${at + 1}: the software is given as it is, to use, copy, change and share.`)}`,
  'overridable-replacements.js': `export default [\n${lines(6, (at) => `\t['${'&🦄♥€£¥'[at] ?? '+'}', ' word-${at} '],`)}];\n`,
  'package.json': packageFile(),
  'readme.md': readme(),
  'replacements.js': `export default new Map([\n${lines(60, (at) => `\t['${String.fromCodePoint(0x410 + at)}', '${'abvgdezijklmnoprstuf'[at % 20]}'],`)}]);\n`,
  'test.js': tests(),
};

/** A task that changes two files of it. */
export const slugTask =
  'Add an option `maxLength` to slug(): the longest slug in characters, cut at a separator where there is one. It goes into index.js, with tests in test.js. Without the option nothing changes.';

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');
}

function implementation(): string {
  return `import escapeRegExp from './escape.js';
import transliterate from './replacements.js';
import overridable from './overridable-replacements.js';

const decamelize = text => text
	.replaceAll(/([A-Z]{2,})(\\d+)/g, '$1 $2')
	.replaceAll(/([a-z\\d]+)([A-Z]{2,})/g, '$1 $2')
	.replaceAll(/([a-z\\d])([A-Z])/g, '$1 $2')
	.replaceAll(/([A-Z]+)([A-Z][a-rt-z\\d]+)/g, '$1 $2');

const withoutMixedSeparators = (text, separator) => {
	const escaped = escapeRegExp(separator);
	return text
		.replaceAll(new RegExp(\`\${escaped}{2,}\`, 'g'), separator)
		.replaceAll(new RegExp(\`^\${escaped}|\${escaped}$\`, 'g'), '');
};

const patternOf = options => {
	let negation = String.raw\`a-z\\d\`;
	negation += options.lowercase ? '' : 'A-Z';
	if (options.keep.length > 0) {
		for (const character of options.keep) {
			negation += escapeRegExp(character);
		}
	}

	return new RegExp(\`[^\${negation}]+\`, options.lowercase ? 'gi' : 'g');
};

export default function slug(text, options) {
	if (typeof text !== 'string') {
		throw new TypeError(\`Expected a text, got \${typeof text}\`);
	}

	options = {
		separator: '-',
		lowercase: true,
		decamelize: true,
		replacements: [],
		keepLeadingUnderscore: false,
		keepTrailingDash: false,
		keep: [],
		transliterate: true,
		...options,
	};

	const isLedByUnderscore = options.keepLeadingUnderscore && text.startsWith('_');
	const isTrailedByDash = options.keepTrailingDash && text.endsWith('-');
	const replacements = new Map([...overridable, ...options.replacements]);
	for (const [from, to] of replacements) {
		text = text.replaceAll(from, to);
	}

	if (options.transliterate) {
		text = [...text.normalize()].map(character => transliterate.get(character) ?? character).join('');
	}

	if (options.decamelize) {
		text = decamelize(text);
	}

	const pattern = patternOf(options);
	if (options.lowercase) {
		text = text.toLowerCase();
	}

	// Contractions keep their letters together.
	text = text.replaceAll(/([a-z\\d]+)'([ts])(\\s|$)/gi, '$1$2$3');
	text = text.replace(pattern, options.separator);
	text = text.replaceAll('\\\\', '');
	if (options.separator) {
		text = withoutMixedSeparators(text, options.separator);
	}

	if (isLedByUnderscore) {
		text = \`_\${text}\`;
	}

	if (isTrailedByDash) {
		text = \`\${text}-\`;
	}

	return text;
}

export function slugWithCounter() {
	const occurrences = new Map();
	const counted = (text, options) => {
		text = slug(text, options);
		if (!text) {
			return '';
		}

		const lower = text.toLowerCase();
		const numberless = occurrences.get(lower.replace(/(?:-\\d+?)+?$/, '')) || 0;
		const counter = occurrences.get(lower);
		occurrences.set(lower, typeof counter === 'number' ? counter + 1 : 1);
		const next = occurrences.get(lower) || 2;
		if (next >= 2 || numberless > 2) {
			text = \`\${text}-\${next}\`;
		}

		return text;
	};

	counted.reset = () => {
		occurrences.clear();
	};

	return counted;
}
`;
}

function declarations(): string {
  const options = [
    ['separator', 'string', "'-'", 'The text between the words of a slug'],
    ['lowercase', 'boolean', 'true', 'Whether a slug is in lower case'],
    ['decamelize', 'boolean', 'true', 'Whether words in camel case are taken apart'],
    ['replacements', 'ReadonlyArray<[string, string]>', '[]', 'Own replacements, which are made before all others'],
    ['keepLeadingUnderscore', 'boolean', 'false', 'Whether an underscore at the beginning stays, as for private members'],
    ['keepTrailingDash', 'boolean', 'false', 'Whether a dash at the end stays, as while a title is typed'],
    ['keep', 'readonly string[]', '[]', 'Characters that stay as they are'],
    ['transliterate', 'boolean', 'true', 'Whether letters of other scripts are written in Latin ones'],
  ] as const;
  const members = options.map(
    ([name, type, usual, about]) => `	/**
	${about}. Titles of pages, names of files and anchors of headings are the usual cases.

	@default ${usual}

	@example
	\`\`\`
	import slug from 'slug-library';

	slug('BAR and baz', {${name}: ${usual}});
	//=> 'bar-and-baz'

	slug('fooBar 123 $#% déjà vu', {${name}: ${usual}});
	//=> 'foo-bar-123-deja-vu'
	\`\`\`
	*/
	readonly ${name}?: ${type};
`,
  );
  return `export type Options = {\n${members.join('\n')}};\n\nexport default function slug(text: string, options?: Options): string;\n\nexport type CountableSlug = {\n	(text: string, options?: Options): string;\n	reset: () => void;\n};\n\nexport function slugWithCounter(): CountableSlug;\n`;
}

function tests(): string {
  const names = [
    'main',
    'possessives',
    'separators',
    'camel case',
    'lower case',
    'replacements',
    'leading underscore',
    'trailing dash',
    'kept characters',
    'scripts',
    'counter',
    'counter with a reset',
  ];
  const blocks = names.map(
    (name, block) =>
      `test('${name}', t => {\n${lines(11, (at) => `\tt.is(slug('${name} of Title ${at + block * 11}', {separator: '${at % 3 === 0 ? '_' : '-'}'}), '${name.replaceAll(' ', at % 3 === 0 ? '_' : '-')}${at % 3 === 0 ? '_of_title_' : '-of-title-'}${at + block * 11}');`)}});\n`,
  );
  return `import test from 'ava';\nimport slug, {slugWithCounter} from './index.js';\n\n${blocks.join('\n')}`;
}

function readme(): string {
  const sections = [
    'Install',
    'Usage',
    'API',
    'slug(text, options?)',
    'separator',
    'lowercase',
    'decamelize',
    'replacements',
    'keep',
    'slugWithCounter()',
    'FAQ',
    'Related',
  ];
  const body = sections.map(
    (title, at) =>
      `## ${title}\n\nA slug is a short text that names a page in its address. This part says how ${title} works, which values it takes, what is the usual one, and what happens to letters of other scripts, to signs and to spaces.\n\n\`\`\`js\nimport slug from 'slug-library';\n\nslug('I ♥ Dogs ${at}');\n//=> 'i-love-dogs-${at}'\n\nslug('  Déjà Vu!  ');\n//=> 'deja-vu'\n\nslug('fooBar 123 $#%');\n//=> 'foo-bar-123'\n\`\`\`\n\nIt is the same in Node.js and in browsers. A text without any letter gives an empty slug, which your own code has to expect.\n`,
  );
  return `# slug-library\n\n> Makes slugs of titles\n\n${body.join('\n')}`;
}

function packageFile(): string {
  return `${JSON.stringify(
    {
      ...{ name: 'slug-library', version: '2.2.1', description: 'Makes slugs of titles', license: 'MIT', type: 'module' },
      exports: { types: './index.d.ts', default: './index.js' },
      ...{ sideEffects: false, engines: { node: '>=20' }, scripts: { test: 'xo && ava && tsd' } },
      files: ['index.js', 'index.d.ts', 'replacements.js', 'overridable-replacements.js'],
      keywords: ['string', 'slug', 'url', 'address', 'title', 'file', 'name', 'anchor', 'transliterate', 'normalize'],
      devDependencies: { ava: '^6.1.3', tsd: '^0.31.1', xo: '^0.59.3' },
    },
    null,
    '\t',
  )}\n`;
}

function workflow(): string {
  return 'name: CI\non:\n  - push\n  - pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n        node-version: [20, 22]\n    steps:\n      - uses: actions/checkout@v4\n      - uses: actions/setup-node@v4\n      - run: npm install\n      - run: npm test\n';
}
