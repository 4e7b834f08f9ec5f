import type {Line, Span} from '../line.ts';
import {stillSafe} from '../safe.ts';

/** Merges adjacent spans of the same look: fewer spans mean fewer bytes on the screen. */
export function joinSpans(spans: readonly Span[]): Line {
	const line: Span[] = [];
	for (const part of spans) {
		const last = line.at(-1);
		if (last && last.tone === part.tone && last.inverse === part.inverse && last.bold === part.bold)
			line[line.length - 1] = {...last, text: stillSafe(last.text + part.text)};
		else line.push(part);
	}
	return line;
}
