import type {Message} from '../domain/message.ts';
import {messageParts} from './message-parts.ts';
import {toolSummary} from './tool-summary.ts';

/** Code, a command or an output that can be copied on its own, raw. */
export type Block = {readonly label: string; readonly text: string};

const fence = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;
const maxBlocks = 200;

/** The parts of a message that can be copied on their own: code blocks, tool inputs and tool outputs. */
export function messageBlocks(message: Message): Block[] {
	const blocks = messageParts(message).flatMap((part): Block[] => {
		if (part.kind === 'text') return codeBlocks(part.text);
		if (part.kind === 'tool-use') return [{label: part.name, text: toolSummary(part.input).asked}];
		if (part.kind === 'tool-result') return [{label: part.isError ? 'error' : 'result', text: part.text}];
		return [];
	});
	return blocks.filter(({text}) => text !== '').slice(0, maxBlocks);
}

/** The fenced code blocks of a text, in order. An unclosed fence ends with the text. */
export function codeBlocks(text: string): Block[] {
	const blocks: Block[] = [];
	let open: {mark: string; label: string; lines: string[]} | undefined;
	const close = () => {
		if (open) blocks.push({label: open.label || 'code', text: open.lines.join('\n')});
		open = undefined;
	};
	for (const line of text.split(/\r?\n/)) {
		const [, mark = '', rest = ''] = fence.exec(line) ?? [];
		if (!open && mark !== '') open = {mark, label: rest.trim().split(' ', 1)[0] ?? '', lines: []};
		else if (open && mark.startsWith(open.mark) && rest.trim() === '') close();
		else open?.lines.push(line);
	}
	close();
	return blocks;
}
