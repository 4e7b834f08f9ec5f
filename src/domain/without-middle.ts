import {thousands} from './numbers.ts';

/** The part of the kept text that is its end. */
const endShare = 0.25;
/** UTF-16 units that the note takes at most. */
const noteLength = 60;

/** At most `maxLength` UTF-16 units of a text: its beginning and its end, with a note on what is left out between them. */
export function withoutMiddle(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	const kept = maxLength - noteLength;
	const end = Math.floor(kept * endShare);
	const left = thousands(text.length - kept);
	return `${text.slice(0, kept - end)}\n[${left} characters left out]\n${text.slice(-end)}`.toWellFormed();
}
