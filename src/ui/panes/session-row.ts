import type {NeedsItem} from '../../state/needs-items.ts';
import {type SessionItem, shortId} from '../../state/session-items.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {age} from '../../text/values/times.ts';
import {needsLook} from '../looks/needs-look.ts';
import {sessionLook} from '../looks/session-look.ts';

export const ageWidth = 3;
const wordMax = 8;
/** A tag cut shorter than this is useless. */
const tagMin = 4;

/** Width of these items' state words, in columns, so that they align within one pane. */
export function wordWidth(items: readonly NeedsItem[]): number {
	let widest = 0;
	for (const item of items) {
		widest = Math.max(widest, Math.min(wordMax, textWidth(needsLook(item).word)));
		if (widest === wordMax) break;
	}
	return widest;
}

/**
 * `! fix-login #urgent   approve 40s`, exactly `width` columns. A pinned session has a mark before its name.
 */
export function sessionRow(item: SessionItem, width: number, words: number, now: number): Line {
	const {glyph, word, tone} = sessionLook(item);
	const room = Math.max(4, width - words - ageWidth - 4);
	const isQuiet = item.group === 'ended' || item.group === 'seen' || item.state === 'unknown';
	return [
		span(glyph, tone, {bold: item.group === 'needs'}),
		span(safe` `),
		...padLine(nameSpans(item, room, isQuiet), room),
		span(safe` `),
		span(pad(word, words), item.group === 'needs' ? tone : 'dim'),
		span(safe` `),
		span(pad(item.since === undefined ? safe`` : age(now - item.since), ageWidth, 'end'), 'dim'),
	];
}

/** The name, and as many tags as fit. */
function nameSpans(item: SessionItem, room: number, isQuiet: boolean): Line {
	const pin = item.isPinned ? [span(safe`◆ `, 'accent')] : [];
	const name = cutEnd(cleanLine(rowName(item)), room - lineWidth(pin));
	const line: Line = [...pin, span(name, isQuiet ? 'dim' : undefined)];
	return [...line, ...tagSpans(item, room - lineWidth(line))];
}

function tagSpans({known}: SessionItem, room: number): Line {
	let left = room;
	return (known?.session?.sessionSettings?.tags ?? []).slice(0, 8).flatMap(tag => {
		const text: Safe = cutEnd(safe` #${cleanLine(tag.name, 40)}`, left);
		if (left < tagMin + 1) return [];
		left -= textWidth(text);
		return [span(text, 'info')];
	});
}

/** Under its folder's heading, an unnamed local session is identified by client, last signal and short id. */
function rowName({name, group, client, signal, known, id}: SessionItem): string {
	if (client === undefined || group === 'needs' || known?.name !== undefined) return name;
	return [client, signal?.lastEvent, shortId(id)].filter(Boolean).join(' ');
}
