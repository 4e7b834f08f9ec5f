import type {Message} from '../../domain/messages/message.ts';
import {cleanLine, cleanText} from '../cells/clean.ts';
import {type Safe, safe} from '../cells/safe.ts';
import {terminalText} from '../cells/terminal-lines.ts';
import {parseBlocks} from '../markdown/markdown-parser.ts';
import {messageParts, type Part} from './message-parts.ts';
import {jsonOf, toolSummary} from './tool-summary.ts';

/** Code, a command or an output that can be copied on its own, raw. */
export type Block = {readonly label: string; readonly text: string};

const maxBlocks = 200;

/** The parts of a message that can be copied on their own: code blocks, tool inputs and tool outputs. */
export function messageBlocks(message: Message): Block[] {
	const blocks = messageParts(message).flatMap((part): Block[] => {
		if (part.kind === 'text')
			return part.isOutput ? [{label: 'output', text: part.text.trimEnd()}] : codeBlocks(part.text);
		if (part.kind === 'tool-use') return [{label: part.name, text: toolSummary(part.input).main}];
		if (part.kind === 'tool-result') return [{label: part.isError ? 'error' : 'result', text: part.text}];
		return [];
	});
	return blocks.filter(({text}) => text !== '').slice(0, maxBlocks);
}

/** The fenced code blocks of a text, in order. An unclosed fence ends with the text. */
export function codeBlocks(text: string): Block[] {
	return parseBlocks(text.replaceAll('\r\n', '\n'))
		.filter(({type}) => type === 'fence')
		.map(({info, content}) => ({
			label: info.trim().split(' ', 1)[0] || 'code',
			text: content.replace(/\n$/, ''),
		}));
}

/** The complete text of a message, its parts in order, without a length limit. */
export function wholeMessage(message: Message): Safe {
	return messageParts(message, Number.POSITIVE_INFINITY)
		.map(part => (part.kind === 'text' ? whole(outputText(part).trimEnd()) : partMarkdown(part)))
		.reduce((all, part) => safe`${all}${part}\n\n`, safe``);
}

/** A whole message part as Markdown: code and output fenced, control characters visible. */
export function partMarkdown(part: Part): Safe {
	switch (part.kind) {
		case 'text':
			return part.isOutput ? fenced(outputText(part).trimEnd(), '') : whole(part.text.trimEnd());
		case 'thinking':
			return whole(part.text.trimEnd().replace(/^/gm, '> '));
		case 'tool-use':
			return safe`**${cleanLine(part.name)}**\n\n${fenced(jsonOf(part.input, 2), 'json')}`;
		case 'tool-result':
			return fenced(terminalText(part.text).trimEnd(), part.isError ? 'error' : '');
		case 'attachment':
			return cleanLine(`[${[part.word, part.name, part.type].filter(Boolean).join(' ')}]`);
		case 'unknown':
			return cleanLine(`[${part.what}]`);
	}
}

function outputText({text, isOutput}: Part & {kind: 'text'}): string {
	return isOutput ? terminalText(text) : text;
}

/** Fences a text with more backticks than any run in it. */
function fenced(text: string, language: string): Safe {
	// Not `Math.max(...)`: there may be more fences than a call takes arguments.
	let longestFence = 2;
	for (const [marks] of text.matchAll(/`{3,}/g)) longestFence = Math.max(longestFence, marks.length);
	const mark = cleanLine('`'.repeat(longestFence + 1));
	return safe`${mark}${cleanLine(language)}\n${whole(text)}\n${mark}`;
}

function whole(text: string): Safe {
	return cleanText(text, {maxLength: text.length, isDrawn: false});
}
