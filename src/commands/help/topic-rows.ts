import {cleanText} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {type Safe, stillSafe} from '../../text/cells/safe.ts';
import {markdownRows} from '../../text/markdown/markdown.ts';
import {type Topic, withoutComments} from '../cli/topics.ts';
import accounts from './accounts.md';
import agentSkill from './agent-skill.md';
import agents from './agents.md';
import configuration from './configuration.md';
import exitCodes from './exit-codes.md';
import hooks from './hooks.md';
import keys from './keys.md';
import machines from './machines.md';
import screen from './screen.md';
import scripting from './scripting.md';

const codeBlock = /^(```[\s\S]*?^```)$/m;
/** A line feed within a paragraph or an item: not before a blank line, an item, a table or a heading. */
const softBreak = /(?<![\n|])\n(?!\n|[-|#]|\d+\. |$) */g;

/** What Markdown may read as a mark. */
const punctuation = /[!-/:-@[-`{-~]/g;

const rule = /^─+┼[─┼]+$/;

/** Lays out a topic without colors: its headings are in capitals, and code keeps its backquotes. */
export function topicRows(markdown: string, width: number): Safe[] {
	const parts = withoutComments(markdown).split(codeBlock);
	// The layout keeps line breaks as written.
	const text = parts.map((part, index) =>
		index % 2 === 1
			? part.replace(/^```\w+/, '```')
			: part.replaceAll(softBreak, ' ').replaceAll(/`[^`]+`/g, code => code.replaceAll(punctuation, '\\$&')),
	);
	const rows = markdownRows(cleanText(text.join('').trim()), width).rows.map(plainRow);
	// A table's rows need no rules between them: only its heading has one.
	return rows.filter((row, index) => !rule.test(row) || rows[index - 2] === '');
}

function plainRow(row: Line): Safe {
	const text = row.map(part => (part.isDecoration ? '  ' : part.text)).join('');
	const isHeading = row.length > 0 && row.every(({tone}) => tone === 'heading');
	return stillSafe((isHeading ? text.toUpperCase() : text).trimEnd());
}

/** The topics as Markdown. Only `help TOPIC` loads them. */
export const topicTexts: Readonly<Record<Topic, string>> = {
	screen,
	keys,
	agents,
	machines,
	hooks,
	accounts,
	configuration,
	scripting,
	'agent-skill': agentSkill,
	'exit-codes': exitCodes,
};
