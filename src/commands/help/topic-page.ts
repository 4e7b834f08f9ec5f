import type {Token} from 'markdown-it';
import {parseBlocks, parseInline} from '../../text/markdown/markdown-parser.ts';
import {escapeRoff} from '../cli/man-page.ts';
import type {Topic} from '../cli/topics.ts';
import {withoutComments} from './topic-rows.ts';

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
