import type {OutboxItem} from '../../domain/delivery.ts';
import type {KeyMap} from '../../keys/key-map.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, type Span, span} from '../../text/line.ts';
import {messageRows} from '../../text/message-rows.ts';
import type {RowCache} from '../../text/row-cache.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {wrapText} from '../../text/wrap.ts';
import type {StreamItem} from './stream-items.ts';

/**
 * Rows of one item at a width, cached while it is unchanged. Two sessions may have messages with the same id.
 */
export function itemRows(
	cache: RowCache,
	sessionId: string,
	item: StreamItem,
	width: number,
	isExpanded: boolean,
	keys: Pick<KeyMap, 'label'>,
	note?: Span,
): readonly Line[] {
	const noteOption = note && {note};
	const below = () => unsettledRows(item, width, keys);
	// Its delivery note changes by itself, so don't cache it.
	if (item.outbox?.state === 'queued')
		return [...messageRows(item.entry, {width, isExpanded, ...noteOption}), ...below()];
	const key = {id: `${sessionId} ${item.id}`, version: item.version};
	return cache.rows(key, {width, isExpanded}, memo => [
		...messageRows(item.entry, {width, isExpanded, memo, ...noteOption}),
		...below(),
	]);
}

/** Rows under a waiting message: the reason, if known, and how to take the message back before it is sent. */
function queuedRows({problem}: OutboxItem, width: number, takeBack: Safe): Line[] {
	const why = problem === undefined ? [] : wrapText(cleanLine(problem), width);
	return [
		...why.map((row): Line => [span(row, 'warn')]),
		[span(takeBack, 'strong'), span(safe` take back before it is sent`, 'dim')],
	];
}

/** Rows under a message that needs a decision: the reason and the keys. */
function unsettledRows({outbox}: StreamItem, width: number, {label}: Pick<KeyMap, 'label'>): Line[] {
	if (outbox?.state === 'queued') return queuedRows(outbox, width, label('discard'));
	if (outbox?.state !== 'unconfirmed' && outbox?.state !== 'failed') return [];
	const why =
		outbox.problem === undefined
			? outbox.state === 'failed'
				? safe`The service did not accept it.`
				: safe`It may have arrived: no response.`
			: cleanLine(outbox.problem);
	return [
		...wrapText(why, width).map((row): Line => [span(row, outbox.state === 'failed' ? 'bad' : 'warn')]),
		[
			span(label('resend'), 'strong'),
			span(safe` send again   `, 'dim'),
			span(label('discard'), 'strong'),
			span(safe` take back   `, 'dim'),
			span(label('copy'), 'strong'),
			span(safe` copy`, 'dim'),
		],
	];
}

/** The author; an empty row separates items of different authors. */
export function writerOf({entry}: StreamItem): string {
	if (entry.kind === 'gap') return 'gap';
	return entry.isRoleLate ? 'unknown' : (entry.role ?? 'unknown');
}
