import {type SessionItem, shortId} from '../../state/session-items.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {age} from '../../text/times.ts';
import {textWidth} from '../../text/width.ts';
import {sessionLook} from './session-state.ts';

const ageWidth = 3;
const wordMax = 8;

/** Columns that the state words of these sessions need, so that the words of one pane stand under each other. */
export function wordWidth(items: readonly SessionItem[]): number {
	return items.reduce(
		(most, item) => Math.max(most, Math.min(wordMax, textWidth(sessionLook(item).word))),
		0,
	);
}

/** `! fix-login        approve 40s`, exactly `width` columns. */
export function sessionRow(item: SessionItem, width: number, words: number, now: number): Line {
	const {glyph, word, tone} = sessionLook(item);
	const name = width - words - ageWidth - 4;
	const isQuiet = item.group === 'ended' || item.state === 'unknown';
	return [
		span(glyph, tone, {bold: item.group === 'needs'}),
		span(safe` `),
		span(pad(cleanLine(rowName(item)), Math.max(4, name)), isQuiet ? 'dim' : undefined),
		span(safe` `),
		span(pad(word, words), item.group === 'needs' ? tone : 'dim'),
		span(safe` `),
		span(pad(item.since === undefined ? safe`` : age(now - item.since), ageWidth, 'end'), 'dim'),
	];
}

/** Under the heading of its folder, a session of this machine is told by its client and last signal. */
function rowName({name, group, client, signal, known, id}: SessionItem): string {
	if (client === undefined || group === 'needs' || known?.name !== undefined) return name;
	return [client, signal?.lastEvent, shortId(id)].filter(Boolean).join(' ');
}
