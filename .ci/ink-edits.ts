import {simpleText} from './simple-text.ts';

/** One replacement in one file of one exact version of a package; the build stops when it does not fit exactly once. */
export type Edit = {
	readonly package: string;
	readonly version: string;
	/** Inside the package. */
	readonly file: string;
	readonly why: string;
	readonly replace: readonly (readonly [from: string, to: string])[];
};

/** Kept between frames, and within bounds. */
const rowsOfOutput = `const library = {tokenize, reduceAnsiCodes, styledCharsFromTokens, ansiCodesToString, diffAnsiCodes, stringWidth};
let shared;
const sharedRows = () => {
    shared ??= new InkRows(library);
    shared.tidy();
    return shared;
};`;

/**
 * What the bundle changes in its libraries. Output stays byte-identical (a test compares it with the stock
 * libraries over hundreds of hostile frames); only time and start-up change.
 */
export const edits: readonly Edit[] = [
	{
		package: 'string-width',
		version: '8.3.0',
		file: 'index.js',
		why: 'text that cannot cluster needs no segmenter; the emoji expression takes 18 ms to compile, so it waits',
		replace: [
			[String.raw`/^[\u0020-\u007E]*$/.test(string)`, `/^[${simpleText}]*$/.test(string)`],
			[
				String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`,
				String.raw`let rgiEmoji; const rgiEmojiRegex = {test: text => (rgiEmoji ??= new RegExp('^\\p{RGI_Emoji}$', 'v')).test(text)};`,
			],
		],
	},
	{
		package: 'ink',
		version: '8.0.0',
		file: 'build/output.js',
		why: 'it tokenises a text of many rows as one, so that a key that changes one row costs its whole pane; and makes an object of every cell of every frame, which is most of what a frame leaves to collect',
		replace: [
			[
				'import { styledCharsFromTokens, styledCharsToString, tokenize, }',
				"import { InkRows } from 'quarterdeck:ink-rows';\nimport { ansiCodesToString, diffAnsiCodes, reduceAnsiCodes, styledCharsFromTokens, tokenize, }",
			],
			['export default class Output {', `${rowsOfOutput}\nexport default class Output {`],
			['caches = new OutputCaches();', 'rows = sharedRows();'],
			[
				'const characterLines = [[]];',
				'let lines = this.rows.rows(text);\n        if (!lines) {\n        const characterLines = [[]];',
			],
			['of this.caches.getStyledChars(text)) {', 'of this.rows.cells(text)) {'],
			[
				'let lines = characterLines.map(line => styledCharsToString(line));',
				'lines = characterLines.map(line => this.rows.text(line));\n        }',
			],
			['this.caches.getWidestLine(text)', 'this.rows.widest(text)'],
			['this.caches.getStringWidth(line)', 'this.rows.rowWidth(line)'],
			['const characters = this.caches.getStyledChars(line);', 'const characters = this.rows.cells(line);'],
			[
				"this.caches.getStringWidth(currentLine[offsetX - 1]?.value ?? '')",
				"this.rows.width(currentLine[offsetX - 1]?.value ?? '')",
			],
			[
				'Math.max(1, this.caches.getStringWidth(character.value))',
				'Math.max(1, this.rows.width(character.value))',
			],
			[
				'const result = [];',
				'const uncut = this.rows.uncut(line, from, to);\n        if (uncut !== undefined) return uncut;\n        const result = [];',
			],
			[
				'for (const character of this.caches.getStyledChars(line)) {',
				'for (const character of this.rows.cells(line)) {',
			],
			[
				'const width = this.caches.getStringWidth(character.value);',
				'const width = this.rows.width(character.value);',
			],
			['return styledCharsToString(result);', 'return this.rows.text(result);'],
			[
				`row.push({
                    type: 'char',
                    value: ' ',
                    fullWidth: false,
                    styles: [],
                });`,
				'row.push(this.rows.blank);',
			],
			[
				`.map(line => {
            // See https://github.com/vadimdemedes/ink/pull/564#issuecomment-1637022742
            const lineWithoutEmptyItems = line.filter(item => item !== undefined);
            return styledCharsToString(lineWithoutEmptyItems).trimEnd();
        })`,
				'.map((line, y) => this.rows.draw(y, line))',
			],
		],
	},
	{
		package: 'ink',
		version: '8.0.0',
		file: 'build/sanitize-ansi.js',
		why: 'text that needs no change, as all of ours, is not taken apart to find that out',
		replace: [
			[
				'const sanitizeAnsi = (text) => {',
				String.raw`const needsChange = /(?![\t\n\u001b])\p{Control}|\u001b(?!\[[\d;]*m(?!\p{Mark}))/u;
const sanitizeAnsi = (text) => {
    if (!needsChange.test(text)) {
        return text;
    }`,
			],
		],
	},
	{
		package: 'ink',
		version: '8.0.0',
		file: 'build/measure-text.js',
		why: 'a text is a whole pane here, and each change of it another one: thousands of them take a hundred megabytes',
		replace: [['maxSize: 4096', 'maxSize: 64']],
	},
	{
		package: 'ink',
		version: '8.0.0',
		file: 'build/wrap-text.js',
		why: 'the same',
		replace: [['maxSize: 4096', 'maxSize: 64']],
	},
	{
		package: 'ink',
		version: '8.0.0',
		file: 'build/line-update.js',
		why: 'one column a character holds for more than ASCII',
		replace: [['const printableAscii = /^[ -~]*$/u;', `const printableAscii = /^[${simpleText}]*$/u;`]],
	},
	{
		package: 'ink',
		version: '8.0.0',
		file: 'build/reconciler.js',
		why: 'a script has no await at its top; what waits there is for development only',
		replace: [
			["await import('./devtools.js');", ''],
			['await loadPackageJson()', 'packageInfo'],
		],
	},
	{
		package: 'meow',
		version: '14.1.0',
		file: 'build/options.js',
		why: 'the package is given, so that none is looked for, read and normalised: half of what it brings',
		replace: [
			["import { a as readPackageUpSync, n as normalizePackageData } from './dependencies.js';\n", ''],
			[
				`options.pkg ?? readPackageUpSync({
		cwd: path.dirname(fileURLToPath(options.importMeta.url)),
		normalize: false,
	})?.packageJson`,
				'options.pkg',
			],
			['normalizePackageData(pkg);', ''],
		],
	},
	{
		package: 'meow',
		version: '14.1.0',
		file: 'build/dependencies.js',
		why: 'what that half does when it loads is nothing to the rest, so that it is left out; a whole `util` brings all it loads lazily',
		replace: [
			["import require$$0$2, { format } from 'util';", "import { format } from 'util';"],
			[
				"import require$$5, { createRequire } from 'node:module';",
				"import { createRequire } from 'node:module';",
			],
			['= requireLib$1();', '= /* @__PURE__ */ requireLib$1();'],
			['= requireNormalize();', '= /* @__PURE__ */ requireNormalize();'],
			[
				'= getDefaultExportFromCjs(normalizeExports);',
				'= /* @__PURE__ */ getDefaultExportFromCjs(normalizeExports);',
			],
			['promisify(execFile);\n', ''],
		],
	},
	{
		package: 'terminal-size',
		version: '4.0.1',
		file: 'index.js',
		why: 'it starts programs only where no terminal tells its size',
		replace: [
			[
				"import {execFileSync} from 'node:child_process';",
				"const execFileSync = (...all) => process.getBuiltinModule('node:child_process').execFileSync(...all);",
			],
		],
	},
	{
		package: 'signal-exit',
		version: '3.0.7',
		file: 'index.js',
		why: 'it loads the whole of `assert` for one check of what Ink gives it',
		replace: [
			["  var assert = require('assert')\n", ''],
			["    assert.equal(typeof cb, 'function', 'a callback must be provided for exit handler')\n", ''],
		],
	},
	{
		package: 'undici',
		version: '8.12.4',
		file: 'lib/dispatcher/client.js',
		why: 'HTTP/2 is switched off, and its module brings the whole of TLS with it',
		replace: [
			[
				"const connectH2 = require('./client-h2.js')",
				"const connectH2 = (...all) => require('./client-h2.js')(...all)",
			],
		],
	},
];
