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

/**
 * Ink tokenises a text of many rows as one, so that a key that changes one row of a pane costs the whole pane. A row
 * that ends without a style of its own, as each of ours does, means the same wherever it stands: it is tokenised by
 * itself and known again. Any other text is done as a whole, and so is one with control characters.
 */
const rowsOfText = String.raw`    cells = 0;
    rows = new Map();
    linesOf(text) {
        if (text.includes('\r')) return undefined;
        const lines = [];
        for (const row of text.split('\n')) {
            const line = this.lineOf(row);
            if (line === undefined) return undefined;
            lines.push(line);
        }
        return lines;
    }
    lineOf(row) {
        if (this.rows.has(row)) return this.rows.get(row);
        const isPlain = !/[\u0000-\u001f\u007f-\u009f]/.test(row.replaceAll(/\u001b\[[\d;]*m/g, ''));
        const isClosed = isPlain && reduceAnsiCodes(tokenize(row).filter(token => token.type === 'ansi')).length === 0;
        const line = isClosed ? styledCharsToString(this.getStyledChars(row)) : undefined;
        this.rows.set(row, line);
        return line;
    }`;

/** Kept between frames. A cell takes about 130 bytes, and a screen of 200x50 has 10,000 of them. */
const sharedCaches = `let shared;
const sharedCaches = () => {
    if (!shared || shared.cells > 100000 || shared.rows.size > 4000 || shared.widths.size > 20000 || shared.blockWidths.size > 4000)
        shared = new OutputCaches();
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
		why: 'rows are mostly the same from frame to frame: each is measured and tokenised by itself and kept, within bounds',
		replace: [
			['caches = new OutputCaches();', 'caches = sharedCaches();'],
			['import { styledCharsFromTokens,', 'import { reduceAnsiCodes, styledCharsFromTokens,'],
			['class OutputCaches {', `class OutputCaches {\n${rowsOfText}`],
			[
				'this.styledChars.set(line, cached);',
				'this.styledChars.set(line, cached);\n            this.cells += cached.length;',
			],
			[
				'const characterLines = [[]];',
				'let lines = this.caches.linesOf(text);\n        if (!lines) {\n        const characterLines = [[]];',
			],
			[
				'let lines = characterLines.map(line => styledCharsToString(line));',
				'lines = characterLines.map(line => styledCharsToString(line));\n        }',
			],
			['export default class Output {', `${sharedCaches}\nexport default class Output {`],
		],
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
		file: 'build/dependencies.js',
		why: 'its licence tables are sorted by locale when it loads, and the first use of Intl takes tens of milliseconds; a whole `util` brings all it loads lazily; packages are not normalised',
		replace: [
			[
				'return a[0].toUpperCase().localeCompare(b[0].toUpperCase())',
				'return a[0].toUpperCase() < b[0].toUpperCase() ? -1 : a[0].toUpperCase() > b[0].toUpperCase() ? 1 : 0',
			],
			["import require$$0$2, { format } from 'util';", "import { format } from 'util';"],
			['var util = require$$0$2;', 'var util = {format};'],
			[
				`var normalizeExports = requireNormalize();
const normalizePackageData = getDefaultExportFromCjs(normalizeExports);`,
				'const normalizePackageData = data => getDefaultExportFromCjs(requireNormalize())(data);',
			],
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
