import type {Span, Tone} from '../cells/line.ts';
import {type Safe, stillSafe} from '../cells/safe.ts';

/** State carried to the next line: the mark that ends an open comment or string. */
export type CodeState = {readonly end: string; readonly tone: Tone} | undefined;

/** Longer lines are data rather than readable code: shown in a single look. */
const maxLineLength = 2000;
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const number = /(?:0[xob])?\d[\da-fA-F_.]*/y;

/** Splits a line of code into comments, strings, numbers, keywords. `state` is the previous line's. */
export function codeSpans(
	line: Safe,
	language: Language,
	state: CodeState,
): {spans: readonly Span[]; state: CodeState} {
	if (line.length > maxLineLength) return {spans: [{text: line, tone: 'code'}], state};
	const spans: Span[] = [];
	let open = state;
	let at = 0;
	let plainFrom = 0;
	const flush = () => {
		if (at > plainFrom) spans.push({text: stillSafe(line.slice(plainFrom, at)), tone: 'code'});
	};
	const take = (length: number, tone: Tone) => {
		flush();
		if (length > 0) spans.push({text: stillSafe(line.slice(at, at + length)), tone});
		at += length;
		plainFrom = at;
	};
	while (at < line.length) {
		if (open) {
			const end = line.indexOf(open.end, at);
			const {tone} = open;
			if (end !== -1) {
				take(end + open.end.length - at, tone);
				open = undefined;
			} else take(line.length - at, tone);
			continue;
		}
		const found = tokenAt(line, at, language);
		if (!found) at++;
		else if (found.tone === undefined) at += found.length;
		else {
			if (found.opens !== undefined) open = {end: found.opens, tone: found.tone};
			take(found.length, found.tone);
		}
	}
	flush();
	return {spans, state: open};
}

type Token = {readonly length: number; readonly tone?: Tone; readonly opens?: string};

function tokenAt(line: string, at: number, language: Language): Token | undefined {
	const first = line[at] ?? '';
	if (language.comment.some(mark => line.startsWith(mark, at) && beginsComment(line, at, mark)))
		return {length: line.length - at, tone: 'dim'};
	const {block} = language;
	if (block && line.startsWith(block[0], at)) return {length: block[0].length, tone: 'dim', opens: block[1]};
	const long = language.long?.find(mark => line.startsWith(mark, at));
	if (long) return {length: long.length, tone: 'good', opens: long};
	if (language.quotes.includes(first)) return {length: stringLength(line, at, first), tone: 'good'};
	number.lastIndex = at;
	const digits = first >= '0' && first <= '9' ? number.exec(line)?.[0] : undefined;
	if (digits) return {length: digits.length, tone: 'warn'};
	word.lastIndex = at;
	const name = word.exec(line)?.[0];
	if (!name) return undefined;
	const isKeyword = language.keywords.has(language.isCaseless ? name.toLowerCase() : name);
	return {length: name.length, ...(isKeyword && {tone: 'accent'})};
}

/** A hash inside a word (`$#`, `a#b`) doesn't start a comment. */
function beginsComment(line: string, at: number, mark: string): boolean {
	return mark !== '#' || at === 0 || line[at - 1] === ' ';
}

function stringLength(line: string, at: number, quote: string): number {
	for (let index = at + 1; index < line.length; index++) {
		if (line[index] === '\\') index++;
		else if (line[index] === quote) return index + 1 - at;
	}
	return line.length - at;
}

/** What is needed to color a language's words: enough to read code, not a grammar. */
export type Language = {
	readonly keywords: ReadonlySet<string>;
	/** Starts of line comments. */
	readonly comment: readonly string[];
	readonly block?: readonly [start: string, end: string];
	/** Quotes of single-line strings; `\` escapes. */
	readonly quotes: string;
	/** Quotes of strings that may span lines. */
	readonly long?: readonly string[];
	/** Keywords are case-insensitive. */
	readonly isCaseless?: boolean;
};

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const cComments = {comment: ['//'], block: ['/*', '*/']} as const;

const script: Language = {
	...cComments,
	quotes: '\'"',
	long: ['`'],
	keywords: words(
		'abstract as async await break case catch class const continue debugger default delete do else enum export extends false finally for from function get if implements import in instanceof interface keyof let namespace new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while yield',
	),
};

const cLike: Language = {
	...cComments,
	quotes: '\'"',
	keywords: words(
		'abstract auto bool boolean break byte case catch char class const constexpr continue default delete do double else enum extends extern false final finally float for goto if implements import inline int interface internal long namespace new null nullptr object override package private protected public record return sealed short signed sizeof static string struct super switch template this throw throws true try typedef typename union unsigned using val var virtual void volatile when while',
	),
};

const shell: Language = {
	comment: ['#'],
	quotes: '\'"',
	keywords: words(
		'break case continue do done elif else esac exit export fi for function if in local return select set shift source then trap until unset while',
	),
};

const data: Language = {comment: ['#'], quotes: '\'"', keywords: words('false no null off on true yes')};

const languages: Readonly<Record<string, Language>> = {
	script,
	cLike,
	shell,
	data,
	json: {comment: ['//'], quotes: '"', keywords: words('false null true')},
	python: {
		comment: ['#'],
		quotes: '\'"',
		long: ['"""', "'''"],
		keywords: words(
			'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
		),
	},
	go: {
		...cComments,
		quotes: '\'"',
		long: ['`'],
		keywords: words(
			'break case chan const continue default defer else error fallthrough false for func go goto if import interface iota map nil package range return select string struct switch true type var int int64 bool byte any',
		),
	},
	rust: {
		...cComments,
		quotes: '"',
		keywords: words(
			'as async await bool break const continue crate dyn else enum extern false fn for i32 i64 if impl in let loop match mod move mut pub ref return self Self static str String struct super trait true type u32 u64 u8 unsafe use usize where while',
		),
	},
	ruby: {
		comment: ['#'],
		quotes: '\'"',
		keywords: words(
			'alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield',
		),
	},
	sql: {
		comment: ['--'],
		block: ['/*', '*/'],
		quotes: '\'"',
		isCaseless: true,
		keywords: words(
			'add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then transaction union unique update using values view when where with',
		),
	},
	css: {
		comment: [],
		block: ['/*', '*/'],
		quotes: '\'"',
		keywords: words('important inherit initial none auto'),
	},
	markup: {comment: [], block: ['<!--', '-->'], quotes: '\'"', keywords: words('')},
};

const names: Readonly<Record<string, string>> = Object.fromEntries(
	Object.entries({
		script: 'ts tsx typescript js jsx javascript mjs cjs mts cts',
		cLike: 'c h cc cpp c++ hpp cs csharp java kotlin kt scala swift dart php proto',
		shell: 'sh bash zsh fish shell console terminal dockerfile docker make makefile',
		data: 'yaml yml toml ini conf properties env',
		json: 'json jsonc json5 jsonl ndjson',
		python: 'py python python3',
		go: 'go golang',
		rust: 'rs rust',
		ruby: 'rb ruby elixir ex',
		sql: 'sql psql postgres postgresql mysql sqlite',
		css: 'css scss less',
		markup: 'html xml svg vue svelte',
	}).flatMap(([language, all]) => all.split(' ').map(name => [name, language])),
);

/** Finds the language named by the first word after a fence, ignoring case; undefined if unknown. */
export function findLanguage(name: string): Language | undefined {
	const known = name.toLowerCase();
	return Object.hasOwn(names, known) ? languages[names[known] ?? ''] : undefined;
}
