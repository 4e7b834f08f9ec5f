import type {Computer} from '../../domain/computer.ts';
import type {SessionItem} from '../../state/session-items.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {age} from '../../text/times.ts';
import {sessionLook} from '../panes/session-state.ts';

const sources = {
	created: safe`created`,
	updated: safe`asked`,
	posted: safe`your message`,
	hook: safe`hook`,
	activity: safe`messages`,
	memory: safe`remembered`,
} as const;

/** `api-migration · build-box · ● working (hook 3s ago) · model-x`: every status says its source and age. */
export function streamTitle(
	item: SessionItem,
	computer: Computer | undefined,
	now: number,
	isFocused: boolean,
): Line {
	const {glyph, word, tone} = sessionLook(item);
	const dot = span(safe` · `, 'border');
	const place = computer?.name ?? item.computerId ?? item.client;
	const model = item.known?.session?.sessionSettings?.model;
	const told =
		item.source === undefined || item.since === undefined
			? safe``
			: safe` (${sources[item.source]} ${age(now - item.since)})`;
	return [
		span(cleanLine(item.name, 60), isFocused ? 'heading' : 'strong'),
		...(place === undefined ? [] : [dot, span(cleanLine(place, 40), 'dim')]),
		dot,
		span(safe`${glyph} ${word}`, tone),
		span(told, 'dim'),
		...(model === undefined ? [] : [dot, span(cleanLine(model, 40), 'dim')]),
	];
}
