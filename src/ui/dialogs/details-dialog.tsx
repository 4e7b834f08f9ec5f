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
import {dollars, exactNumber} from '../../text/values/numbers.ts';
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
import {type AppParts, type Parts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer} from './list-layer.ts';
import {strings} from './strings.ts';

const labelWidth = 16;

const text = strings.details;

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
		...fact(text.localName[0], known?.name, text.localName[1]),
		...fact(text.title, known?.session?.title),
		[text.id, cleanLine(id)],
		...fact(text.client[0], client, text.client[1]),
		...fact(text.computer, computer?.computer?.name ?? computerId, asOfNote(computer?.fetchedAt, now)),
		...fact(text.folder, cwd),
	];
}

function status(item: SessionItem, now: number): Fact[] {
	const {glyph, word, tone} = sessionLook(item);
	const {signal, known} = item;
	const archivedAt = known?.session?.sessionSettings?.archivedAt;
	const note = isArchived(known) ? '' : text.stillShown;
	return [
		[text.status, safe`${glyph} ${word}${statusSource(item, now)}`, tone],
		...fact(text.reason, item.reason),
		...value(text.signal, signal && signalText(signal, now)),
		...value(text.background, signal && signal.background > 0 ? text.tasks(signal.background) : undefined),
		...fact(text.archived, archivedAt || undefined, note),
	];
}

function signalText({lastEvent, client, lastEventAt}: NonNullable<SessionItem['signal']>, now: number): Safe {
	return text.signalText(
		cleanLine(lastEvent, 60),
		cleanLine(client || text.agent, 40),
		age(now - lastEventAt),
	);
}

function settings({known}: SessionItem): Fact[] {
	const values = known?.session?.sessionSettings;
	return [
		...fact(text.agent, known?.session?.agent),
		...fact(text.mode, known?.session?.mode),
		...fact(text.model, values?.model),
		...fact(text.planModel, values?.specModeModel),
		...fact(text.tags, values?.tags?.map(tagText).join(', ')),
		...fact(text.allowed, values?.enabledToolIds?.join(', ')),
		...fact(text.denied, values?.disabledToolIds?.join(', ')),
		...fact(text.providerLock, values?.providerLockTimestamp),
	];
}

/** A tag's name and its metadata, with secrets masked. */
function tagText({name, metadata = {}}: SessionTag): string {
	const more = Object.keys(metadata).length > 0 ? ` ${JSON.stringify(maskSecrets(metadata))}` : '';
	return `${name}${more}`;
}

function usage({known}: SessionItem): Fact[] {
	const values = known?.session?.sessionSettings;
	const cost = values?.tokenUsage?.costUsd;
	const activeTime = values?.assistantActiveTimeMs;
	const children = Object.keys(values?.childInclusiveTokenUsageBySessionId ?? {}).length;
	return [
		...tokenFacts(text.tokens, values?.tokenUsage),
		...fact(text.usedModels, values?.tokenUsage?.models?.join(', ')),
		...value(text.cost[0], cost === undefined ? undefined : safe`${dollars(cost)}${text.cost[1]}`),
		...tokenFacts(text.inclusiveTokens, values?.inclusiveTokenUsage),
		...value(text.children, children > 0 ? text.sessions(children) : undefined),
		...value(text.activeTime, activeTime === undefined ? undefined : duration(activeTime)),
	];
}

const tokenKinds = Object.keys(text.tokenKinds) as (keyof typeof text.tokenKinds)[];

function tokenFacts(label: string, tokens: TokenUsage | undefined): Fact[] {
	const counts = tokenKinds.flatMap(kind =>
		tokens?.[kind] === undefined ? [] : [`${exactNumber(tokens[kind])} ${text.tokenKinds[kind]}`],
	);
	return fact(label, counts.join(', '));
}

function times({known}: SessionItem, now: number, {label}: Pick<KeyMap, 'label'>): Fact[] {
	const session = known?.session;
	return [
		...value(text.messages, session?.messageCount === undefined ? undefined : safe`${session.messageCount}`),
		...time(text.created, session?.createdAt),
		...time(text.updated, session?.updatedAt),
		...time(text.completed, session?.completedAt),
		...time(text.added, known?.addedAt),
		...value(
			text.refreshed,
			known?.fetchedAt === undefined
				? text.neverRefreshed(label('refresh'))
				: text.refreshedAgo(age(now - known.fetchedAt)),
		),
	];
}

/** The age of the messages on screen, when the service last responded, and when the next request is due. */
function reads(stream: Stream | undefined, {okAt, nextAt, retryAt}: Connection, now: number): Fact[] {
	const source = stream?.readAt === undefined ? text.cache : text.service(age(now - stream.readAt));
	const dueAt = retryAt ?? nextAt;
	const next = dueAt === undefined || dueAt <= now ? safe`` : text.nextIn(age(dueAt - now));
	return [
		...value(text.messageSource, stream && stream.entries.length > 0 ? source : undefined),
		...value(
			text.response,
			okAt === undefined ? undefined : safe`${text.responseAgo(age(now - okAt))}${next}`,
		),
	];
}

function asOfNote(at: number | undefined, now: number): string {
	return at === undefined ? '' : text.asOf(age(now - at));
}

function time(label: string, at: number | undefined): Fact[] {
	return value(label, at === undefined ? undefined : dateTime(at));
}

function value(label: string, shown: Safe | undefined): Fact[] {
	return shown === undefined ? [] : [[label, shown]];
}

function fact(label: string, raw: string | undefined, note = ''): Fact[] {
	return value(label, raw ? safe`${cleanLine(raw)}${cleanLine(note)}` : undefined);
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
			changeDialog(parts.view, 'details', now => ({
				...now,
				top: scrolledTop(now.top, lines.length, height, top => top + rows),
			})),
	});
	const below = lines.length - top - height;
	return (
		<Pane
			rect={rect}
			title={[span(cleanLine(item.name, 60), 'heading')]}
			right={[span(strings.close(parts.keys.label('cancel')), 'dim')]}
			{...(below > 0 && {bottom: [span(strings.moreBelow(below), 'dim')]})}
			isFocused
			body={[{line: []}, ...lines.slice(top, top + height).map(line => ({line: [span(safe`  `), ...line]}))]}
		/>
	);
}

/** The rectangle of a session's details at `now` (Unix ms), their lines, and how many of them are shown. */
function detailsNow(
	{stores, keys}: Parts<'stores' | 'keys'>,
	item: SessionItem,
	layout: Layout,
	now: number,
) {
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
