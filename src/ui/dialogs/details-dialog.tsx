import {useStore} from 'zustand';
import {isArchived, type KnownComputer} from '../../domain/known.ts';
import {maskSecrets} from '../../domain/masking.ts';
import type {SessionTag, TokenUsage} from '../../domain/sessions/session.ts';
import type {KeyMap} from '../../keys/key-map.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import type {Connection} from '../../state/connection.ts';
import {pushDialog, withTop} from '../../state/dialogs.ts';
import type {SessionItem} from '../../state/session-items.ts';
import type {Stream} from '../../state/stream.ts';
import {targets} from '../../state/targets.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {age, dateTime, duration} from '../../text/values/times.ts';
import type {Intents} from '../input.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {Pane} from '../kit/pane.tsx';
import {scrolledTop} from '../kit/scroll.ts';
import {ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Layout} from '../layout.ts';
import {layoutNow} from '../layout-now.ts';
import {sessionLook, statusSource} from '../looks/session-look.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {setView} from '../set-view.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer} from './list-layer.ts';

const labelWidth = 16;

type Fact = readonly [label: string, value: Safe, tone?: Tone];

/** Sources of the facts besides the session itself. */
export type DetailSources = {
	readonly computer: KnownComputer | undefined;
	/** The session's messages, when open. */
	readonly stream: Stream | undefined;
	readonly connection: Connection;
	readonly keys: Pick<KeyMap, 'label'>;
};

/** Everything known about a session, each fact with its source; unknown facts are omitted. */
function sessionDetailLines(
	item: SessionItem,
	{computer, stream, connection, keys}: DetailSources,
	now: number,
	width: number,
): Line[] {
	return [
		...names(item, computer, now),
		...status(item, now),
		...settings(item),
		...usage(item),
		...times(item, now, keys),
		...reads(stream, connection, now),
	].flatMap(([label, value, tone]) =>
		wrapText(value, Math.max(8, width - labelWidth)).map(
			(row, index): Line => [
				span(pad(index === 0 ? cleanLine(label) : safe``, labelWidth), 'dim'),
				span(row, tone),
			],
		),
	);
}

function names(
	{id, known, client, folder, computerId}: SessionItem,
	computer: KnownComputer | undefined,
	now: number,
): Fact[] {
	const cwd = known?.cwd ?? folder;
	return [
		...fact('local name', known?.name, ' (on this machine only)'),
		...fact('title', known?.session?.title),
		['id', cleanLine(id)],
		...fact('client', client, ", on this machine; the service doesn't know it"),
		...fact('computer', computer?.computer?.name ?? computerId, readNote(computer?.fetchedAt, now)),
		...fact('folder', cwd),
	];
}

function status(item: SessionItem, now: number): Fact[] {
	const {glyph, word, tone} = sessionLook(item);
	const {signal, known} = item;
	const archivedAt = known?.session?.sessionSettings?.archivedAt;
	const note = isArchived(known) ? '' : ' at the service; shown here all the same';
	return [
		['status', safe`${glyph} ${word}${statusSource(item, now)}`, tone],
		...fact('reason', item.reason),
		...(signal
			? [
					[
						'last signal',
						safe`${cleanLine(signal.lastEvent, 60)}, ${cleanLine(signal.client || 'agent', 40)}, ${age(now - signal.lastEventAt)} ago`,
					] as Fact,
				]
			: []),
		...(signal && signal.background > 0
			? [['background', safe`${signal.background} tasks still run`] as Fact]
			: []),
		...fact('archived', archivedAt || undefined, note),
	];
}

function settings({known}: SessionItem): Fact[] {
	const values = known?.session?.sessionSettings;
	return [
		...fact('model', values?.model),
		...fact('plan model', values?.specModeModel),
		...fact('tags', values?.tags?.map(tagText).join(', ')),
		...fact('tools allowed', values?.enabledToolIds?.join(', ')),
		...fact('tools denied', values?.disabledToolIds?.join(', ')),
		...fact('provider lock', values?.providerLockTimestamp),
	];
}

/** A tag's name and its metadata, with secrets masked. */
function tagText({name, metadata = {}}: SessionTag): string {
	const more = Object.keys(metadata).length > 0 ? ` ${JSON.stringify(maskSecrets(metadata))}` : '';
	return `${name}${more}`;
}

function usage({known}: SessionItem): Fact[] {
	const values = known?.session?.sessionSettings;
	const children = Object.keys(values?.childInclusiveTokenUsageBySessionId ?? {}).length;
	return [
		...tokenFacts('tokens', values?.tokenUsage),
		...tokenFacts('with children', values?.inclusiveTokenUsage),
		...(children > 0
			? [['children', children === 1 ? safe`1 session` : safe`${children} sessions`] as Fact]
			: []),
		...(values?.assistantActiveTimeMs === undefined
			? []
			: [['agent busy', duration(values.assistantActiveTimeMs)] as Fact]),
	];
}

function tokenFacts(label: string, tokens: TokenUsage | undefined): Fact[] {
	const parts = [
		[tokens?.inputTokens, 'in'],
		[tokens?.outputTokens, 'out'],
		[tokens?.thinkingTokens, 'thinking'],
		[tokens?.cacheReadTokens, 'cache reads'],
		[tokens?.cacheCreationTokens, 'cache writes'],
		[tokens?.serviceCredits, 'credits'],
	] as const;
	const counts = parts
		.filter(([count]) => count !== undefined)
		.map(([count, what]) => `${exactNumber(count)} ${what}`);
	return fact(label, counts.join(', '));
}

function times({known}: SessionItem, now: number, {label}: Pick<KeyMap, 'label'>): Fact[] {
	const session = known?.session;
	return [
		...(session?.messageCount === undefined ? [] : [['messages', safe`${session.messageCount}`] as Fact]),
		...time('created', session?.createdAt),
		...time('updated', session?.updatedAt),
		...time('completed', session?.completedAt),
		...time('first seen', known?.addedAt),
		...(known?.fetchedAt === undefined
			? [['read', safe`never: ${label('refresh')} asks the service for it`] as Fact]
			: [
					[
						'read',
						safe`${age(now - known.fetchedAt)} ago: title, settings, tokens and times are from then`,
					] as Fact,
				]),
	];
}

/** The age of the messages on screen, when the service last responded, and when the next request is due. */
function reads(stream: Stream | undefined, {okAt, nextAt, retryAt}: Connection, now: number): Fact[] {
	const messages =
		stream?.readAt === undefined ? safe`cached on this machine` : safe`read ${age(now - stream.readAt)} ago`;
	const dueAt = retryAt ?? nextAt;
	const next = dueAt === undefined || dueAt <= now ? safe`` : safe`, next in ${age(dueAt - now)}`;
	return [
		...(stream && stream.entries.length > 0 ? [['shown messages', messages] as Fact] : []),
		...(okAt === undefined ? [] : [['last response', safe`${age(now - okAt)} ago${next}`] as Fact]),
	];
}

function readNote(at: number | undefined, now: number): string {
	return at === undefined ? '' : ` (read ${age(now - at)} ago)`;
}

function time(label: string, at: number | undefined): Fact[] {
	return at === undefined ? [] : [[label, dateTime(at)]];
}

function fact(label: string, value: string | undefined, note = ''): Fact[] {
	return value === undefined || value === '' ? [] : [[label, safe`${cleanLine(value)}${cleanLine(note)}`]];
}

/** Everything known about one session. */
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
	const connection = useStore(stores.connection);
	const times = [item.since, item.known?.fetchedAt, computer?.fetchedAt, stream?.readAt, connection.okAt];
	const now = useNow(at => {
		const next = times.flatMap(since => (since === undefined ? [] : [ageChangesAt(since, at)]));
		return next.length === 0 ? undefined : Math.min(...next);
	});
	const {rect, lines, height} = detailsNow(parts, item, layout, now);
	const top = scrolledTop(dialog.top, lines.length, height, top => top);
	useZone({
		rect,
		order: zoneOrder.dialog,
		wheel: rows =>
			changeDialog(parts, 'details', now => ({
				...now,
				top: scrolledTop(now.top, lines.length, height, top => top + rows),
			})),
	});
	const below = lines.length - top - height;
	return (
		<Pane
			rect={rect}
			title={[span(cleanLine(item.name, 60), 'heading')]}
			right={[span(safe`${parts.keys.label('cancel')} closes`, 'dim')]}
			{...(below > 0 && {bottom: [span(safe`${below} more ↓`, 'dim')]})}
			isFocused
			body={[{line: []}, ...lines.slice(top, top + height).map(line => ({line: [span(safe`  `), ...line]}))]}
		/>
	);
}

/** The rectangle of a session's details at `now` (Unix ms), their lines, and how many of them are shown. */
function detailsNow({stores, keys}: AppParts, item: SessionItem, layout: Layout, now: number) {
	const sources = {
		computer: stores.fleet.getState().computers.get(item.computerId ?? ''),
		stream: stores.streams.getState().open.get(item.id),
		connection: stores.connection.getState(),
		keys,
	};
	const width = Math.min(84, layout.columns - 4);
	const lines = sessionDetailLines(item, sources, now, width - 4);
	const rect = dialogRect(layout, width, lines.length + 2);
	return {rect, lines, height: rect.height - 4};
}

/** Keys of the session details dialog: they scroll or close it. */
function detailsLayer(parts: AppParts, dialog: DialogOf<'details'>): KeyLayer {
	const item = listsNow(parts).all.sessionsById.get(dialog.sessionId);
	const {lines, height} = item
		? detailsNow(parts, item, layoutNow(parts), parts.ticker.now())
		: {lines: [], height: 1};
	return listLayer(parts, {
		context: 'details',
		index: dialog.top,
		page: Math.max(1, height),
		count: () => Math.max(0, lines.length - height) + 1,
		moved: top => setView(parts.view, view => withTop(view, {...dialog, top})),
	});
}

const intents: Intents = {
	details(parts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId !== undefined)
			setView(parts.view, view => pushDialog(view, {kind: 'details', sessionId, top: 0}));
	},
};

export const detailsDialog: DialogModule<'details'> = {
	Component: DetailsDialog,
	layer: detailsLayer,
	intents,
};
