import type {Message} from '../domain/message.ts';
import {cleanLine, cleanText} from './clean.ts';
import {messageParts, type Part} from './message-parts.ts';
import {type Safe, safe} from './safe.ts';
import {jsonOf} from './tool-summary.ts';

/** All that a message says, its parts one below the other, however long it is. */
export function wholeMessage(message: Message): Safe {
	return messageParts(message, Number.POSITIVE_INFINITY)
		.map(partMarkdown)
		.reduce((all, part) => safe`${all}${part}\n\n`, safe``);
}

/** A part of a message as Markdown, whole: text as it was written, code and output fenced. Control characters are signs. */
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

/** A fence longer than any in the text. */
function fenced(text: string, language: string): Safe {
	// There may be more of them than a call takes arguments.
	let longestFence = 2;
	for (const [marks] of text.matchAll(/`{3,}/g)) longestFence = Math.max(longestFence, marks.length);
	const mark = cleanLine('`'.repeat(longestFence + 1));
	return safe`${mark}${cleanLine(language)}\n${whole(text)}\n${mark}`;
}

function whole(text: string): Safe {
	return cleanText(text, {maxLength: text.length, isDrawn: false});
}
