import type {Message} from '../domain/message.ts';
import {cleanLine, cleanText} from './clean.ts';
import {messageParts, type Part} from './message-parts.ts';
import {type Safe, safe} from './safe.ts';
import {jsonOf} from './tool-summary.ts';

/** The complete text of a message, its parts in order, without a length limit. */
export function wholeMessage(message: Message): Safe {
	return messageParts(message, Number.POSITIVE_INFINITY)
		.map(partMarkdown)
		.reduce((all, part) => safe`${all}${part}\n\n`, safe``);
}

/**
 * A complete message part as Markdown: text as written, code and output fenced. Control characters become
 * visible.
 */
export function partMarkdown(part: Part): Safe {
	switch (part.kind) {
		case 'text':
			return whole(part.text.trimEnd());
		case 'thinking':
			return whole(part.text.trimEnd().replace(/^/gm, '> '));
		case 'tool-use':
			return safe`**${cleanLine(part.name)}**\n\n${fenced(jsonOf(part.input, 2), 'json')}`;
		case 'tool-result':
			return fenced(part.text.trimEnd(), part.isError ? 'error' : '');
		case 'attachment':
			return cleanLine(`[${[part.word, part.name, part.type].filter(Boolean).join(' ')}]`);
		case 'unknown':
			return cleanLine(`[${part.what}]`);
	}
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
