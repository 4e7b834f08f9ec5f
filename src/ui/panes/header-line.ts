import type {Connection} from '../../state/connection.ts';
import type {Lists} from '../../state/lists.ts';
import {cleanLine} from '../../text/clean.ts';
import {fitLine, type Line, lineWidth, padLine, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {age, duration} from '../../text/times.ts';

/** `quarterdeck  prod     ! 2 need you  12 working  4 idle  1 error     ● polling 0.8s`, exactly `width` columns. */
export function headerLine(
	data: {
		readonly profile: string;
		readonly counts: Lists['counts'];
		readonly connection: Connection;
		readonly now: number;
	},
	width: number,
): Line {
	const left: Line = [
		span(safe` quarterdeck `, 'heading'),
		span(safe` ${cleanLine(data.profile, 24)}`, 'dim'),
	];
	const right: Line = [...connectionWords(data.connection, data.now, width), span(safe` `)];
	const middle = countWords(data.counts);
	const room = width - lineWidth(left) - lineWidth(right);
	const centred = lineWidth(middle) + 4 <= room ? middle : shortCounts(data.counts);
	const gap = Math.max(1, Math.floor((width - lineWidth(centred)) / 2) - lineWidth(left));
	const before = [
		...left,
		span(safe``),
		...padLine([], Math.min(gap, Math.max(1, room - lineWidth(centred) - 1))),
		...centred,
	];
	const rest = width - lineWidth(before) - lineWidth(right);
	if (rest < 1)
		return padLine(
			fitLine([...left.slice(0, 1), ...shortCounts(data.counts), span(safe`  `), ...right], width),
			width,
		);
	return [...before, ...padLine([], rest), ...right];
}

function countWords(counts: Lists['counts']): Line {
	const {needs, working, idle, errors} = counts;
	return [
		needs > 0
			? span(safe`! ${needs} ${needs === 1 ? safe`needs` : safe`need`} you`, 'warn', {bold: true})
			: span(safe`nothing needs you`, 'dim'),
		span(safe`   `),
		span(safe`${working} working`, working > 0 ? 'good' : 'dim'),
		span(safe`   `),
		span(safe`${idle} idle`, 'dim'),
		...(errors > 0
			? [span(safe`   `), span(safe`✗ ${errors} ${errors === 1 ? safe`error` : safe`errors`}`, 'bad')]
			: []),
	];
}

function shortCounts({needs, working, errors}: Lists['counts']): Line {
	return [
		...(needs > 0 ? [span(safe` !${needs}`, 'warn', {bold: true})] : []),
		...(working > 0 ? [span(safe` ●${working}`, 'good')] : []),
		...(errors > 0 ? [span(safe` ✗${errors}`, 'bad')] : []),
	];
}

/** The truth about the connection, and what happens next. */
function connectionWords(connection: Connection, now: number, width: number): Line {
	const {state, latency, okAt, retryAt, storage} = connection;
	const isRoomy = width >= 80;
	const retry =
		retryAt !== undefined && isRoomy ? safe`, next try in ${age(Math.max(0, retryAt - now) + 999)}` : safe``;
	const stale = okAt === undefined || !isRoomy ? safe`` : safe`, last answer ${age(now - okAt)} ago`;
	const disk: Line = storage ? [span(safe`! not saved `, 'bad'), span(safe` `)] : [];
	switch (state) {
		case 'starting':
			return [...disk, span(safe`◌ starting`, 'dim')];
		case 'quiet':
			return [...disk, span(safe`○ quiet`, 'dim')];
		case 'polling':
			return [
				...disk,
				span(safe`● live`, 'good'),
				span(latency === undefined ? safe`` : safe` ${duration(latency)}`, 'dim'),
			];
		case 'slowed':
			return [...disk, span(safe`◌ slowed by the service${retry}`, 'warn')];
		case 'offline':
			return [...disk, span(safe`✗ offline${retry}`, 'bad'), span(stale, 'dim')];
		case 'unauthorised':
			return [
				...disk,
				span(isRoomy ? safe`✗ key refused: set QUARTERDECK_API_KEY` : safe`✗ key refused`, 'bad'),
			];
	}
}

/** When the header's words change by themselves: while a next try is counted down or an answer grows old. */
export function headerChangesAt({state, retryAt, okAt}: Connection, now: number): number | undefined {
	if (state !== 'offline' && state !== 'slowed') return undefined;
	return retryAt === undefined && okAt === undefined ? undefined : now + 1000;
}
