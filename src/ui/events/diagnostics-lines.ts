import type {OutboxItem} from '../../domain/messages/delivery.ts';
import type {Connection, WatchReport} from '../../state/connection.ts';
import type {LogEntry} from '../../state/event-log.ts';
import type {Problem} from '../../state/fleet.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {age, duration} from '../../text/values/times.ts';
import {eventName, latency} from './event-row.ts';
import {labels, strings} from './strings.ts';

const words = strings.diagnostics;

export type Diagnostics = {
	readonly connection: Connection;
	/** How the sessions that nobody has open are read. */
	readonly watch: WatchReport;
	/** Problems of individual computers and sessions, each with its raw name. */
	readonly problems: readonly (readonly [name: string, problem: Problem])[];
	readonly outbox: readonly OutboxItem[];
	/** The loaded part of the log. */
	readonly events: readonly LogEntry[];
	/** The key that acknowledges damage to saved data. */
	readonly acknowledge: Safe;
	readonly now: number;
};

const labelWidth = 15;
/** Number of newest events the figures cover. */
const measured = 1_000;
/** Event names counted individually; the rest are counted together. */
const countedNames = 12;

type Fact = readonly [label: string, value: Safe, tone?: Tone];

/** Reports what can fail silently: the service, the hooks, the disk, and data that was left out. */
export function diagnosticsLines(data: Diagnostics, width: number): Line[] {
	const rows: Fact[] = [
		...serviceFacts(data),
		...watchFacts(data),
		...hookFacts(data),
		...storageFacts(data),
		...outboxFacts(data),
		...data.problems.flatMap(([name, problem]) => problemFacts(name, problem, data.now)),
	];
	const room = Math.max(8, width - labelWidth);
	return rows.flatMap(([label, value, tone]) =>
		wrapText(value, room, 6).map(
			(row, index): Line => [
				span(pad(index === 0 ? cleanLine(label) : safe``, labelWidth), 'dim'),
				span(row, tone),
			],
		),
	);
}

function serviceFacts({connection, now}: Diagnostics): Fact[] {
	const {state, okAt, latency: took, retryAt, problem, refusal, skipped, skew} = connection;
	const isBad = state === 'offline' || state === 'unauthorized';
	return [
		[labels.service, cleanLine(state), isBad ? 'bad' : state === 'slowed' ? 'warn' : 'good'],
		...(okAt === undefined
			? [[labels.response, words.noResponse] as Fact]
			: [[labels.response, words.response(age(now - okAt), duration(took))] as Fact]),
		...(retryAt === undefined || retryAt <= now
			? []
			: [[labels.retry, words.retryIn(age(retryAt - now))] as Fact]),
		...[problem, refusal].flatMap(one => (one ? problemFacts(labels.problem, one, now) : [])),
		...(skew === undefined || Math.abs(skew) < 2_000
			? []
			: [
					[
						labels.clock,
						(skew > 0 ? words.clockAhead : words.clockBehind)(duration(Math.abs(skew))),
						'warn',
					] as Fact,
				]),
		skipped
			? [
					labels.skipped,
					words.skipped(skipped.total, skipped.count, cleanLine(skipped.what), age(now - skipped.at)),
					'warn',
				]
			: [labels.skipped, words.noneSkipped],
	];
}

function watchFacts({watch: {sessions, oldest, perSecond}}: Diagnostics): Fact[] {
	if (sessions === 0) return [[labels.watching, words.noneWatched]];
	const within = oldest === undefined ? words.notAllRead : words.readWithin(age(oldest));
	return [[labels.watching, words.watching(words.sessions(sessions), within, Number(perSecond.toFixed(2)))]];
}

function hookFacts({connection, events, now}: Diagnostics): Fact[] {
	const {hooks} = connection;
	const newest = events.slice(-measured);
	const bySocket = newest.filter(({event}) => event.delivery === 'socket');
	const times = bySocket.map(({event}) => Math.max(0, event.receivedAt - event.ts)).sort((a, b) => a - b);
	const at = (share: number) =>
		latency(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
	const last = newest.at(-1);
	return [
		...(typeof hooks === 'string'
			? [[labels.hooks, cleanLine(hooks), hooks === 'listening' ? 'good' : 'dim'] as Fact]
			: problemFacts(labels.hooks, hooks, now)),
		...(last
			? [
					[
						labels.events,
						words.events(bySocket.length, newest.length - bySocket.length, age(now - last.event.receivedAt)),
					] as Fact,
				]
			: [[labels.events, words.noEvents] as Fact]),
		...(times.length > 0 ? [[labels.latency, words.latency(at(0.5), at(0.99))] as Fact] : []),
		...countFacts(newest),
	];
}

/** The count of each event, most frequent first, and of damaged payloads. */
function countFacts(newest: readonly LogEntry[]): Fact[] {
	if (newest.length === 0) return [];
	const counts = new Map<string, number>();
	let damaged = 0;
	for (const {event} of newest) {
		if (event.data.damaged !== undefined) damaged++;
		if (event.event === '' && event.data.damaged !== undefined) continue;
		counts.set(eventName(event), (counts.get(eventName(event)) ?? 0) + 1);
	}
	const sorted = [...counts].sort(([, a], [, b]) => b - a);
	const shown = sorted.slice(0, countedNames).map(([name, count]) => `${count} ${name.slice(0, 40)}`);
	const others = sorted.slice(countedNames).reduce((sum, [, count]) => sum + count, 0);
	if (others > 0) shown.push(words.otherNames(others));
	return [
		...(shown.length > 0 ? [[labels.counts, cleanLine(shown.join(', '))] as Fact] : []),
		...(damaged > 0 ? [[labels.damaged, words.damaged(damaged), 'warn'] as Fact] : []),
	];
}

function storageFacts({
	connection: {storage, stored, incidents = []},
	acknowledge,
	now,
}: Diagnostics): Fact[] {
	return [
		...(storage
			? problemFacts(labels.storage, storage, now)
			: [[labels.storage, words.saved, 'good'] as Fact]),
		...(stored ? [[labels.stored, storedText(stored)] as Fact] : []),
		...incidents.map(
			({what, at}): Fact => [labels.incident, words.incident(cleanLine(what), age(now - at)), 'warn'],
		),
		...(incidents.length > 0 ? [['', words.acknowledge(acknowledge), 'dim'] as Fact] : []),
	];
}

function storedText({used, free, limit, sessions, messages}: NonNullable<Connection['stored']>): Safe {
	const limitText = Number.isFinite(limit) ? words.limit(byteSize(limit)) : safe``;
	const unused = free > 0 ? words.unused(byteSize(free)) : safe``;
	const bytes = safe`${byteSize(used)}${limitText}${unused}`;
	return words.stored(bytes, words.messages(messages), words.sessions(sessions));
}

function outboxFacts({outbox}: Diagnostics): Fact[] {
	const unsettled = (['queued', 'sending', 'unconfirmed', 'failed'] as const).flatMap(state => {
		const count = outbox.filter(item => item.state === state).length;
		return count > 0 ? [`${count} ${state}`] : [];
	});
	return unsettled.length === 0
		? [[labels.outbox, words.emptyOutbox]]
		: [[labels.outbox, cleanLine(unsettled.join(', ')), 'warn']];
}

function problemFacts(label: string, {what, hint, at}: Problem, now: number): Fact[] {
	const when = at > 0 ? words.problemAge(age(now - at)) : safe``;
	return [
		[label.slice(0, 200), safe`${words.problem(cleanLine(what))}${when}`, 'bad'],
		...(hint === undefined ? [] : [['', cleanLine(hint), 'dim'] as Fact]),
	];
}
