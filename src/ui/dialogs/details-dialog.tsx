import {useStore} from 'zustand';
import {refresh} from '../../actions/context.ts';
import {
	folderOf,
	isArchived,
	type KnownComputer,
	leastMessagesOf,
	messageCountOf,
} from '../../domain/known.ts';
import {maskSecrets, maskText} from '../../domain/masking.ts';
import {
	type ContextUse,
	contextLeft,
	modeTitle,
	type SessionTag,
	type TokenUsage,
} from '../../domain/sessions/session.ts';
import type {FolderSummary} from '../../domain/sessions/work-folder.ts';
import type {Connection} from '../../state/connection.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {draftMark, lookText, sessionLook, statusSource} from '../../state/sessions/session-look.ts';
import {alsoIn} from '../../state/sessions/shared-files.ts';
import type {Stream} from '../../state/stream.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, lineText, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {changedLines, dollars, exactNumber} from '../../text/values/numbers.ts';
import {age, dateTime, duration} from '../../text/values/times.ts';
import type {KeyLayer} from '../input.ts';
import {bindingsIn} from '../keys/binding.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {hasService} from '../keys/reasons.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {agesChangeAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Layout} from '../layout.ts';
import {layoutNow} from '../layout-now.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {topDialog} from './list-layer.ts';
import {scrolledTextLayer, TextPane} from './scrolled-text.tsx';

const labelWidth = 16;

type Row = readonly [label: string, value: Safe, tone?: Tone];

function nameRows(
	{id, known, client, folder, computerId, computerName, shared}: SessionItem,
	computer: KnownComputer | undefined,
	now: number,
): Row[] {
	return [
		...textRow('local name', known?.name, ' (on this machine only)'),
		...textRow('title', known?.session?.title),
		['id', cleanLine(id)],
		...textRow('client', client, ' (on this machine; unknown to the service)'),
		...textRow('computer', computerName ?? computerId, asOfNote(computer?.fetchedAt, now)),
		...textRow('folder', folderOf(known) ?? folder),
		...textRow('branch', known?.session?.workFolder?.branch),
		...changedLinesRow(known?.session?.workFolder),
		...[...(shared?.keys() ?? [])].slice(0, 5).flatMap(path => row('same file', sameFileText(shared, path))),
	];
}

function sameFileText(shared: SessionItem['shared'], path: string): Safe {
	return safe`${cleanLine(path, 200)} ${alsoIn(shared, path) ?? safe``}`;
}

function changedLinesRow({added, removed, ...folder}: FolderSummary = {}): Row[] {
	if (added === undefined) return [];
	const counts = lineText(changedLines({added, removed, ...folder}));
	return [
		[
			'changed lines',
			counts === '' ? safe`none since the last commit` : safe`${counts} since the last commit`,
		],
	];
}

function statusRows(item: SessionItem, now: number): Row[] {
	const look = sessionLook(item, now);
	const {signal, known} = item;
	const {archivedAt = ''} = known?.session?.sessionSettings ?? {};
	const at = Date.parse(archivedAt);
	const note = isArchived(known) ? '' : ' on the service; still shown here';
	return [
		['status', safe`${lookText(look)}${statusSource(item, now)}`, look.tone],
		...textRow(wordsLabels[item.state] ?? 'last words', maskText(item.reason ?? '')),
		...row('last event', signal && signalText(signal, now)),
		...row(
			'background',
			signal && signal.background > 0
				? safe`${signal.background} ${signal.background === 1 ? safe`task` : safe`tasks`} running`
				: undefined,
		),
		...row('sub-agents', known?.session?.subagents ? safe`${known.session.subagents} at work` : undefined),
		...textRow('archived', Number.isNaN(at) ? archivedAt : dateTime(at), note),
	];
}

/** What the words of a state are. */
const wordsLabels: Partial<Record<SessionItem['state'], string>> = {
	permission: 'asks for',
	input: 'asks',
	error: 'error',
	unsent: 'your message',
	ended: 'why it ended',
	pending: 'why',
};

function signalText({lastEvent, client, lastEventAt}: NonNullable<SessionItem['signal']>, now: number): Safe {
	return safe`${cleanLine(lastEvent, 60)}, ${cleanLine(client || 'agent', 40)}, ${age(now - lastEventAt)} ago`;
}

function settingRows({known}: SessionItem): Row[] {
	const {agent, mode, sessionSettings: values} = known?.session ?? {};
	return [
		...textRow('agent', agent),
		// The shell asks nothing.
		...textRow('mode', agent === 'shell' || mode === undefined ? undefined : modeTitle(mode)),
		...textRow('model', values?.model),
		...textRow('plan model', values?.specModeModel),
		...textRow('tags', values?.tags?.map(tagText).join(', ')),
		...textRow('tools allowed', values?.enabledToolIds?.join(', ')),
		...textRow('tools denied', values?.disabledToolIds?.join(', ')),
		...textRow('provider fixed', values?.providerLockTimestamp),
	];
}

/** A tag's name and its metadata, with secrets masked. */
function tagText({name, metadata = {}}: SessionTag): string {
	const more = Object.keys(metadata).length > 0 ? ` ${JSON.stringify(maskSecrets(metadata))}` : '';
	return `${name}${more}`;
}

function usageRows({known}: SessionItem): Row[] {
	const values = known?.session?.sessionSettings;
	const cost = values?.tokenUsage?.costUsd;
	const activeTime = values?.assistantActiveTimeMs;
	const children = Object.keys(values?.childInclusiveTokenUsageBySessionId ?? {}).length;
	return [
		...tokenRow('tokens', values?.tokenUsage),
		...textRow('used models', values?.tokenUsage?.models?.join(', ')),
		...row('cost', cost === undefined ? undefined : safe`${dollars(cost)}, as the agent reports it`),
		...row('context', contextText(known?.session?.context)),
		...tokenRow('with children', values?.inclusiveTokenUsage),
		...row(
			'child sessions',
			children > 0 ? safe`${children} ${children === 1 ? safe`session` : safe`sessions`}` : undefined,
		),
		...row('active time', activeTime === undefined ? undefined : duration(activeTime)),
	];
}

function contextText(context: ContextUse | undefined): Safe | undefined {
	const left = contextLeft(context);
	if (left === undefined) return undefined;
	return safe`${left} % left: ${exactNumber(context?.usedTokens)} of ${exactNumber(context?.windowTokens)} tokens used`;
}

const tokenKinds = [
	['inputTokens', 'in'],
	['outputTokens', 'out'],
	['thinkingTokens', 'thinking'],
	['cacheReadTokens', 'cache reads'],
	['cacheCreationTokens', 'cache writes'],
	['serviceCredits', 'credits'],
] as const;

function tokenRow(label: string, tokens: TokenUsage | undefined): Row[] {
	const counts = tokenKinds.flatMap(([kind, words]) =>
		tokens?.[kind] === undefined ? [] : [`${exactNumber(tokens[kind])} ${words}`],
	);
	return textRow(label, counts.join(', '));
}

function timeRows({known}: SessionItem, now: number, {label}: KeyMap): Row[] {
	const session = known?.session;
	const count = leastMessagesOf(known);
	const more = count === messageCountOf(known) ? safe`` : safe`+`;
	// The messages are read more often than the session itself.
	const updatedAt = Math.max(session?.updatedAt ?? 0, known?.activity?.newestAt ?? 0);
	return [
		...row('messages', count === undefined ? undefined : safe`${count}${more}`),
		...dateRow('created', session?.createdAt),
		...dateRow('updated', updatedAt || undefined),
		...dateRow('completed', session?.completedAt),
		...dateRow('first seen', known?.addedAt),
		...row(
			'refreshed',
			known?.fetchedAt === undefined
				? safe`never; ${label('refresh')} refreshes it from the service`
				: safe`${age(now - known.fetchedAt)} ago: title, settings and tokens`,
		),
	];
}

/** The age of the messages on screen, when a request last succeeded, and when the next request is due. */
function readingRows(stream: Stream | undefined, {okAt, nextAt, retryAt}: Connection, now: number): Row[] {
	const source =
		stream?.readAt === undefined
			? safe`the cache on this machine`
			: safe`the service, ${age(now - stream.readAt)} ago`;
	const dueAt = retryAt ?? nextAt;
	const next = dueAt === undefined || dueAt <= now ? safe`` : safe`, next in ${age(dueAt - now)}`;
	return [
		...row('messages from', stream && stream.entries.length > 0 ? source : undefined),
		...row('last success', okAt === undefined ? undefined : safe`${age(now - okAt)} ago${next}`),
	];
}

function asOfNote(at: number | undefined, now: number): string {
	return at === undefined ? '' : ` (as of ${age(now - at)} ago)`;
}

function dateRow(label: string, at: number | undefined): Row[] {
	return row(label, at === undefined ? undefined : dateTime(at));
}

function row(label: string, value: Safe | undefined): Row[] {
	return value === undefined ? [] : [[label, value]];
}

function textRow(label: string, raw: string | undefined, note = ''): Row[] {
	return row(label, raw ? safe`${cleanLine(raw)}${cleanLine(note)}` : undefined);
}

function DetailsDialog({dialog, layout, lists}: DialogProps<'details'>) {
	const item = lists.all.sessionsById.get(dialog.sessionId);
	return item && <Details dialog={dialog} layout={layout} item={item} />;
}

type DetailsProps = Pick<DialogProps<'details'>, 'dialog' | 'layout'> & {readonly item: SessionItem};

function Details({dialog, layout, item}: DetailsProps) {
	const parts = useApp();
	const {stores} = parts;
	const computer = useStore(stores.fleet, ({computers}) => computers.get(item.computerId ?? ''));
	const stream = useStore(stores.streams, ({open}) => open.get(item.id));
	useStore(parts.composers, ({drafted}) => drafted);
	const connection = useStore(stores.connection);
	const starts = [item.since, item.known?.fetchedAt, computer?.fetchedAt, stream?.readAt, connection.okAt];
	const now = useNow(at => agesChangeAt(starts, at));
	const title = cleanLine(item.name, 60);
	return <TextPane dialog={dialog} title={title} head={head} {...detailsNow(parts, item, layout, now)} />;
}

const head = [{line: []}];

/** Everything known about a session at `now` (Unix ms), with its source; what is unknown is left out. */
function detailsNow({stores, composers, keys}: AppParts, item: SessionItem, layout: Layout, now: number) {
	const width = Math.min(84, layout.columns - 4);
	const hasDraft = composers.getState().drafted.has(item.id);
	const rows = [
		...nameRows(item, stores.fleet.getState().computers.get(item.computerId ?? ''), now),
		...statusRows(item, now),
		...row('draft', hasDraft ? safe`${draftMark} unsent; ${keys.label('reply')} shows it` : undefined),
		...settingRows(item),
		...usageRows(item),
		...timeRows(item, now, keys),
		...readingRows(stores.streams.getState().open.get(item.id), stores.connection.getState(), now),
	];
	const lines = rows.flatMap(([label, value, tone]) =>
		wrapText(value, Math.max(8, width - 4 - labelWidth)).map(
			(row, index): Line => [
				span(pad(safe` ${index === 0 ? cleanLine(label) : safe``}`, labelWidth + 1), 'dim'),
				span(row, tone),
			],
		),
	);
	const rect = dialogRect(layout, width, lines.length + 2);
	return {rect, lines, height: rect.height - 4};
}

function detailsLayer(parts: AppParts, dialog: DialogOf<'details'>): KeyLayer {
	const item = listsNow(parts).all.sessionsById.get(dialog.sessionId);
	const {lines, height} = item
		? detailsNow(parts, item, layoutNow(parts), parts.ticker.now())
		: {lines: [], height: 1};
	return scrolledTextLayer(parts, dialog, height, () => lines.length);
}

export const detailsBindings = bindingsIn({contexts: ['details'], isPaletteHidden: true}, [
	{
		action: 'refresh',
		keys: ['r'],
		title: 'Refresh the session from the service',
		hint: 'refresh',
		isEnabled: hasService,
		run(parts) {
			const dialog = topDialog(parts.view.getState(), 'details');
			if (dialog) refresh(parts.actions, dialog.sessionId);
		},
	},
]);

export const detailsDialog: DialogModule<'details'> = {
	Component: DetailsDialog,
	layer: detailsLayer,
};
