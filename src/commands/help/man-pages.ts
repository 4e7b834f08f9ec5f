import type {Token} from 'markdown-it';
import {parseBlocks, parseInline} from '../../text/markdown/markdown-parser.ts';
import type {Flag} from '../cli/command.ts';
import {globalFlags, screenFlags} from '../cli/flags.ts';
import {exitCodeText, flagRows, sentence} from '../cli/help.ts';
import {commands} from '../cli/table.ts';
import {type Topic, topics, withoutComments} from '../cli/topics.ts';

/** The man page in roff, generated from the command table. */
export function manPage(version: string): string {
	return [
		`.TH QUARTERDECK 1 "" "quarterdeck ${version}"`,
		'.SH NAME',
		escapeRoff('quarterdeck, qd - terminal UI and commands for live agent-session work'),
		'.SH SYNOPSIS',
		...['[FLAGS]', 'COMMAND [FLAGS]'].flatMap(rest => ['.B quarterdeck', escapeRoff(rest), '.br']),
		'.SH DESCRIPTION',
		escapeRoff(
			'Without a command it opens the screen. With a command it runs that and exits: stdout is data, stderr is errors and, on a terminal, progress. Arguments after -- are text, never flags.',
		),
		'.SH COMMANDS',
		...commands.flatMap(command => [
			`.SS ${escapeRoff([command.path, ...command.args].join(' '))}`,
			escapeRoff(sentence(command.about)),
			...(command.detail ? [escapeRoff(command.detail)] : []),
			...flagList(command.flags),
			...exampleList(command.examples ?? []),
		]),
		'.SH SCREEN FLAGS',
		...flagList(screenFlags),
		'.SH GLOBAL FLAGS',
		...flagList(globalFlags),
		'.SH EXIT STATUS',
		...exitCodeText.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, escapeRoff(`${meaning}.`)]),
		'.SH SEE ALSO',
		escapeRoff(
			Object.keys(topics)
				.map(topic => `quarterdeck-${topic}(7)`)
				.join(', '),
		),
		'',
	].join('\n');
}

function exampleList(lines: readonly string[]): string[] {
	if (lines.length === 0) return [];
	return [
		'.PP',
		'Examples:',
		'.RS',
		'.nf',
		...lines.map(line => escapeRoff(`quarterdeck ${line}`)),
		'.fi',
		'.RE',
	];
}

function flagList(flags: readonly Flag[]): string[] {
	return flagRows(flags).flatMap(([form, about]) => [
		'.TP',
		`.B ${escapeRoff(form)}`,
		escapeRoff(`${about}.`),
	]);
}

function escapeRoff(words: string): string {
	const escaped = words
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replaceAll("'", '\\(aq')
		.replaceAll(
			/[^\n -~]/gu,
			character => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
		);
	return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** The man page of a topic in roff: `man quarterdeck-hooks`. */
export function topicPage(topic: Topic, about: string, markdown: string, version: string): string {
	const title = `quarterdeck-${topic}`;
	return [
		`.TH ${title.toUpperCase()} 7 "" "quarterdeck ${version}"`,
		'.SH NAME',
		escapeRoff(`${title} - ${about}`),
		'.SH DESCRIPTION',
		...blocks(parseBlocks(withoutComments(markdown))),
		'.SH SEE ALSO',
		escapeRoff('quarterdeck(1)'),
		'',
	].join('\n');
}

/** Headings, paragraphs, lists of one level, tables and code: what topics are made of. */
function blocks(tokens: readonly Token[]): string[] {
	let cells: string[] = [];
	return tokens.flatMap((token, index) => {
		if (token.type === 'fence') {
			const code = token.content.trimEnd().split('\n').map(escapeRoff);
			return ['.PP', '.RS 4', '.nf', ...code, '.fi', '.RE'];
		}
		if (token.type === 'tr_close' && cells.length > 0) {
			const [name = '', ...rest] = cells;
			cells = [];
			return ['.TP', name, rest.join('; ')];
		}
		if (token.type !== 'inline') return [];
		switch (tokens[index - 1]?.type) {
			case 'heading_open':
				// The title is that of the page.
				return tokens[index - 1]?.tag === 'h1' ? [] : [`.SH ${inline(token.content.toUpperCase())}`];
			case 'th_open':
				return [];
			case 'td_open':
				cells.push(inline(token.content));
				return [];
			default: {
				const item = tokens[index - 2];
				if (item?.type !== 'list_item_open') return ['.PP', inline(token.content)];
				return [item.info === '' ? '.IP \\(bu 2' : `.IP ${item.info}. 3`, inline(token.content)];
			}
		}
	});
}

function inline(content: string): string {
	const parts = parseInline(content).map(token => {
		if (token.type === 'softbreak') return ' ';
		if (token.type === 'code_inline') return `\\fB${escapeRoff(token.content)}\\fR`;
		if (token.type === 'strong_open') return '\\fB';
		if (token.type === 'strong_close') return '\\fR';
		return escapeRoff(token.content);
	});
	return parts.join('');
}
