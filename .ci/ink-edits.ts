import {simpleText} from './simple-text.ts';

/** Replacements in one file of one exact version of a package. The build fails unless each text occurs exactly once. */
export type Edit = {
	readonly package: string;
	readonly version: string;
	/** Path inside the package. */
	readonly file: string;
	/** What it does, and what it saves: measured with and without, as a share of the budget (`test/README.md`). */
	readonly why: string;
	readonly replace: readonly (readonly [from: string, to: string])[];
};

/** One instance for all frames, within bounds. */
const sharedRows = `const rows = new InkRows({tokenize, reduceAnsiCodes, styledCharsFromTokens, ansiCodesToString, diffAnsiCodes, stringWidth});
const styledCharsToString = cells => rows.text(cells);
const sharedRows = () => {
    rows.tidy();
    return rows;
};`;

/**
 * Edits of libraries in the bundle. None changes an answer or a byte of output: `test/unit/house/ink-edits.test.ts`
 * compares them with the stock libraries. `.ci/README.md` says what to do on an upgrade.
 */
export const edits: readonly Edit[] = [
	{
		package: 'string-width',
		version: '8.3.0',
		file: 'index.js',
		why: 'skips the segmenter for text that cannot cluster (first frame: 28 %, a key: 20 %), and compiles the emoji expression for sequences only, as one emoji is as wide without it (commands: 12 %, first frame: 6 %, of a conversation with ✅ 45 %)',
		replace: [
			[String.raw`/^[\u0020-\u007E]*$/.test(string)`, `/^[${simpleText}]*$/.test(string)`],
			[
				String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`,
				String.raw`let rgiEmoji; const rgiEmojiRegex = {test: text => !/^.$/su.test(text) && (/^(?=\p{Extended_Pictographic})\p{Emoji}\uFE0F$/u.test(text) || (rgiEmoji ??= new RegExp('^\\p{RGI_Emoji}$', 'v')).test(text))};`,
			],
		],
	},
	{
		package: 'ink',
		version: '8.0.0',
		file: 'build/output.js',
		why: 'keeps the cells of unchanged rows between frames, and cuts no row that fits; stock Ink tokenizes every pane again in each frame (a key: 150 %, first frame: 21 %; keeping its own caches between frames would be 36 % worse per key; cutting rows that fit, a page: 5 %; joining rows in one buffer, a page: 11 %)',
		replace: [
			[
				'import { styledCharsFromTokens, styledCharsToString, tokenize, }',
				"import { InkRows } from 'quarterdeck:ink-rows';\nimport { ansiCodesToString, diffAnsiCodes, reduceAnsiCodes, styledCharsFromTokens, tokenize, }",
			],
			['export default class Output {', `${sharedRows}\nexport default class Output {`],
			['caches = new OutputCaches();', 'caches = sharedRows();'],
			[
				'const characterLines = [[]];',
				'let lines = this.caches.rows(text);\n        if (!lines) {\n        const characterLines = [[]];',
			],
			[
				'let lines = characterLines.map(line => styledCharsToString(line));',
				'lines = characterLines.map(line => styledCharsToString(line));\n        }',
			],
			[
				`const row = [];
            for (let x = 0; x < this.width; x++) {
                row.push({
                    type: 'char',
                    value: ' ',
                    fullWidth: false,
                    styles: [],
                });
            }`,
				'const row = new Array(this.width).fill(this.caches.blank);',
			],
			[
				'for (const character of characters) {',
				`if (this.caches.isSimple(line)) {
                for (let index = 0; index < characters.length; index++) {
                    currentLine[offsetX++] = characters[index];
                }
            }
            else for (const character of characters) {`,
			],
			[
				'line.filter(item => item !== undefined)',
				'line.includes(undefined) ? line.filter(item => item !== undefined) : line',
			],
			[
				'lines = lines.map(line => {',
				`lines = lines.map(line => {
                    if (x >= clip.x1 && this.caches.fits(line, clip.x2 - x)) {
                        return line;
                    }`,
			],
		],
	},
	{
		package: 'ink',
		version: '8.0.0',
		file: 'build/sanitize-ansi.js',
		why: 'returns text that needs no change without tokenizing it (first frame: 17 %, a key: 16 %)',
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
		file: 'build/reconciler.js',
		why: 'removes await at the top level, which a script cannot have; both are for development only',
		replace: [
			["await import('./devtools.js');", ''],
			['await loadPackageJson()', 'packageInfo'],
		],
	},
	{
		package: 'undici',
		version: '8.12.4',
		file: 'lib/dispatcher/client.js',
		why: "loads HTTP/2, which we don't use, with the first connection over it (commands that send a request: 9 %)",
		replace: [
			[
				"const connectH2 = require('./client-h2.js')",
				"const connectH2 = (...args) => require('./client-h2.js')(...args)",
			],
		],
	},
	{
		package: 'meow',
		version: '14.1.0',
		file: 'build/dependencies.js',
		why: "doesn't load what checks a package.json, which we never ask for (first frame with a flag: 2 %, resident: 2 MB)",
		replace: [
			['var normalizeExports = requireNormalize();', ''],
			['getDefaultExportFromCjs(normalizeExports)', '(...args) => requireNormalize()(...args)'],
		],
	},
];
