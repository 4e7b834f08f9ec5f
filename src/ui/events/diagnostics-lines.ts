import type {RunningService} from '../../domain/running-service.ts';
import type {Problem} from '../../state/fleet.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {shortId} from '../../state/sessions/session-items.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {storedSize} from '../../text/values/numbers.ts';
import {age, duration} from '../../text/values/times.ts';
import {hookProblemText} from '../banner-lines.ts';
import type {Rect} from '../layout.ts';
import type {AppParts} from '../use-app.ts';
import {latency} from './event-row.ts';

type Diagnostics = ReturnType<typeof diagnosticsNow>;

function diagnosticsNow(
	{stores, keys, actions, hooks, profile}: AppParts,
	{all}: Lists,
	/** Unix ms. */
	now: number,
) {
	const items: readonly {readonly id: string; readonly name: string}[] = [...all.sessions, ...all.computers];
	const nameOf = (id: string) => items.find(item => item.id === id)?.name ?? shortId(id);
	return {
		connection: stores.connection.getState(),
		/** Problems of individual computers and sessions, each with its raw name. */
		problems: [...stores.fleet.getState().problems].map(([id, problem]) => [nameOf(id), problem] as const),
		/** How the sessions that aren't open are read. */
		watch: actions.engine.sessions.watcher.report(),
		outbox: [...stores.outbox.getState().bySession.values()].flat(),
		/** The loaded part of the log. */
		events: stores.events.getState().entries,
		/** The latest of the footer, newest first. */
		notices: stores.notices.getState().latest,
		/** What is wrong in the configuration file. */
		mistakes: profile.mistakes,
		/** Why installed hooks report nothing. */
		hookProblem: hookProblemText(hooks.hint.getState(), keys),
		keys,
		now,
	};
}

const labelWidth = 15;

type Row = readonly [label: string, value: Safe, tone?: Tone];

/** Reports parts that can fail silently: the service, the hooks, the disk, and items that were left out. */
export function diagnosticsLines(parts: AppParts, lists: Lists, {width}: Rect, now: number): readonly Line[] {
	const data = diagnosticsNow(parts, lists, now);
	const rows: Row[] = [
		...noticeRows(data),
		...mistakeRows(data),
		...serviceRows(data),
		watchRow(data),
		...hookRows(data),
		...storageRows(data),
		outboxRow(data),
		...data.problems.flatMap(([name, problem]) => problemRows(name, problem, data.now)),
	];
	const room = Math.max(8, width - 5 - labelWidth);
	return rows.flatMap(([label, value, tone]) =>
		wrapText(value, room, 40).map(
			(row, index): Line => [
				span(pad(index === 0 ? cleanLine(label) : safe``, labelWidth), 'dim'),
				span(row, tone),
			],
		),
	);
}

function noticeRows({notices, now}: Diagnostics): Row[] {
	return notices.map(({text: words, at, tone}, index) => [
		index === 0 ? 'notices' : '',
		safe`${cleanLine(words)}${ageText(now - at)}`,
		tone === 'bad' ? tone : undefined,
	]);
}

function mistakeRows({mistakes}: Diagnostics): Row[] {
	return mistakes.map((mistake, index) => [
		index === 0 ? 'configuration' : '',
		cleanLine(mistake, 2_000),
		'bad',
	]);
}

function serviceRows({connection, now}: Diagnostics): Row[] {
	const {state, okAt, latency: took, retryAt, refusal, skipped, skew, embedded} = connection;
	const problem = connection.problem ?? connection.outage;
	const isBad = state === 'offline' || state === 'unauthorized';
	const time = took !== undefined && took < 1000 ? latency(took) : duration(took);
	const success = okAt === undefined ? safe`none yet` : safe`${age(now - okAt)} ago, took ${time}`;
	const rows: Row[] = [
		['service', cleanLine(state), isBad ? 'bad' : state === 'slowed' ? 'warn' : 'good'],
		['last success', success],
	];
	if (embedded) rows.push(['process', processText(embedded, now)]);
	if (retryAt !== undefined && retryAt > now) rows.push(['next try', safe`in ${age(retryAt - now)}`]);
	for (const one of [problem, refusal]) if (one) rows.push(...problemRows('problem', one, now));
	if (skew !== undefined && Math.abs(skew) >= 2_000) {
		const side = skew > 0 ? safe`ahead` : safe`behind`;
		rows.push(['clock', safe`the service's is ${duration(Math.abs(skew))} ${side}`, 'warn']);
	}
	if (skipped) {
		const {total, count, what, at} = skipped;
		rows.push([
			'skipped',
			safe`${total} items could not be read; last ${count} in ${cleanLine(what)}, ${age(now - at)} ago`,
			'warn',
		]);
	} else rows.push(['skipped', safe`none`]);
	return rows;
}

function watchRow({watch: {sessions, oldest, perSecond}}: Diagnostics): Row {
	if (sessions === 0) return ['watching', safe`no sessions`];
	const within =
		oldest === undefined ? safe`not all read yet` : safe`each read within the last ${age(oldest)}`;
	return [
		'watching',
		safe`${sessionCount(sessions)}, ${within}; at most ${Number(perSecond.toFixed(2))} requests a second`,
	];
}

function hookRows({connection: {hooks}, events, hookProblem, keys, now}: Diagnostics): Row[] {
	const last = events.at(-1)?.event;
	const rows: Row[] =
		typeof hooks === 'string'
			? [['hooks', cleanLine(hooks), hooks === 'listening' ? 'good' : 'dim']]
			: problemRows('hooks', hooks, now);
	if (hookProblem) rows.push(['', hookProblem, 'bad']);
	rows.push([
		'events',
		last
			? safe`last ${age(now - last.receivedAt)} ago, by ${cleanLine(last.delivery)}`
			: safe`none yet: ${keys.label('hooks')} installs hooks`,
	]);
	return rows;
}

function storageRows({connection, keys, now}: Diagnostics): Row[] {
	const {storage, stored, incidents = []} = connection;
	const rows: Row[] = storage
		? problemRows('storage', storage, now)
		: [['storage', safe`saved to disk`, 'good']];
	if (stored) {
		const {sessions, messages} = stored;
		const contents = safe`${storedSize(stored)}; ${messages === 1 ? safe`1 message` : safe`${messages} messages`} of ${sessionCount(sessions)}`;
		rows.push(['stored', contents]);
	}
	for (const {what, at} of incidents)
		rows.push(['happened', safe`! ${cleanLine(what)} (${age(now - at)} ago)`, 'warn']);
	if (incidents.length > 0)
		rows.push(['', safe`${keys.label('acknowledge-incidents')} acknowledges this`, 'dim']);
	return rows;
}

function outboxRow({outbox}: Diagnostics): Row {
	const unsettled = (['queued', 'sending', 'unconfirmed', 'failed'] as const).flatMap(state => {
		const count = outbox.filter(item => item.state === state).length;
		return count > 0 ? [`${count} ${state}`] : [];
	});
	return unsettled.length === 0
		? ['outbox', safe`empty`]
		: ['outbox', cleanLine(unsettled.join(', ')), 'warn'];
}

function problemRows(label: string, {what, hint, at}: Problem, now: number): Row[] {
	const when = at > 0 ? ageText(now - at) : safe``;
	const problem: Row = [label.slice(0, 200), safe`✗ ${cleanLine(what)}${when}`, 'bad'];
	return hint === undefined ? [problem] : [problem, ['', cleanLine(hint), 'dim']];
}

function processText({pid, version, startedAt, endsWhenIdle}: RunningService, now: number): Safe {
	const update = endsWhenIdle ? safe`; update when idle` : safe``;
	return safe`${pid}, started ${age(now - startedAt)} ago, version ${cleanLine(version)}${update}`;
}

function ageText(ms: number): Safe {
	return safe` (${age(ms)} ago)`;
}

function sessionCount(count: number): Safe {
	return count === 1 ? safe`1 session` : safe`${count} sessions`;
}
