import {useEffect, useMemo, useRef} from 'react';
import type {KeyLayer} from '../../keys/layers.ts';
import {type AwayEntry, awayEntries} from '../../state/away.ts';
import {popDialog, pushDialog} from '../../state/dialogs.ts';
import type {Lists} from '../../state/lists.ts';
import {restoreSelection} from '../../state/restore-selection.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {calendarDay, clockTime} from '../../text/values/times.ts';
import type {Intents} from '../input.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Row} from '../kit/frame.ts';
import {listTop} from '../kit/list-window.ts';
import {Pane} from '../kit/pane.tsx';
import {ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import {useChoiceZone} from '../mouse/use-choice-zone.ts';
import {openSession, showResult} from '../open-session.ts';
import {setView} from '../set-view.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import {awayColumns, awayRow} from './away-row.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer} from './list-layer.ts';
import {strings} from './strings.ts';

const text = strings.away;

const maxWidth = 168;

/** What happened in sessions and to computers since the user's last key before a pause. */
function AwayDialog({dialog, layout, lists}: DialogProps<'away'>) {
	const {keys, away} = useApp();
	const {all} = lists;
	const entries = useMemo(
		() => awayEntries(all, dialog.since, away.computerChanges),
		[all, dialog.since, away],
	);
	useSelection(entries, dialog);
	const now = useNow(at => {
		const next = entries.map(entry => ageChangesAt(entry.at, at));
		return next.length === 0 ? undefined : Math.min(...next);
	});
	const rows = Math.max(3, entries.length);
	const rect = dialogRect(layout, Math.min(maxWidth, layout.columns - 4), Math.min(rows, layout.rows - 6));
	const height = rect.height - 2;
	const columns = useMemo(() => awayColumns(entries, rect.width - 3), [entries, rect.width]);
	const selected = indexOf(entries, dialog);
	const top = useRef(0);
	top.current = listTop(top.current, selected, height, entries.length);
	const below = entries.length - top.current - height;
	useChoiceZone({
		context: 'away',
		rect,
		above: 1,
		top: top.current,
		shown: Math.min(height, entries.length - top.current),
		index: selected,
		down: 'list-down',
		up: 'list-up',
		choose: 'away-open',
	});
	const since = timeText(dialog.since, now);
	const body: Row[] =
		entries.length === 0
			? [{line: []}, {line: [span(safe`  ${text.empty(since)}`, 'dim')]}]
			: entries.slice(top.current, top.current + height).map((entry, index) => ({
					line: awayRow(entry, columns, now),
					isSelected: top.current + index === selected,
				}));
	return (
		<Pane
			rect={rect}
			title={[span(text.title, 'heading'), ...(entries.length > 0 ? countSpans(entries, since) : [])]}
			right={[span(strings.close(keys.label('cancel')), 'dim')]}
			{...(below > 0 && {bottom: [span(strings.moreBelow(below), 'dim')]})}
			isFocused
			body={body}
		/>
	);
}

function countSpans(entries: readonly AwayEntry[], since: Safe): Line {
	const sessions = entries.filter(({kind}) => kind === 'session').length;
	const computers = entries.length - sessions;
	return [
		span(text.since(since), 'dim'),
		...(sessions > 0 ? [span(text.sessions(sessions), 'dim')] : []),
		...(computers > 0 ? [span(text.computers(computers), 'dim')] : []),
	];
}

/** `14:02`, and the day before it unless it is today. */
function timeText(at: number, now: number): Safe {
	const isToday = new Date(at).toDateString() === new Date(now).toDateString();
	return isToday ? clockTime(at) : safe`${calendarDay(at) ?? safe``} ${clockTime(at)}`;
}

/** The entry at the cursor, the newest at first. */
function indexOf(entries: readonly AwayEntry[], {id}: DialogOf<'away'>): number {
	return Math.max(
		0,
		entries.findIndex(entry => entry.id === id),
	);
}

/** Keeps the cursor on its entry while others come above it, once the user has moved it. */
function useSelection(entries: readonly AwayEntry[], dialog: DialogOf<'away'>): void {
	const parts = useApp();
	const before = useRef<readonly AwayEntry[]>(entries);
	const {id} = dialog;
	useEffect(() => {
		const old = before.current;
		before.current = entries;
		const ids = new Set(entries.map(entry => entry.id));
		if (id === undefined || ids.has(id)) return;
		const at = old.findIndex(entry => entry.id === id);
		const next = restoreSelection(old, at, one => ids.has(one.id));
		if (next) changeDialog(parts.view, 'away', now => ({...now, id: next.id}));
	}, [entries, id, parts]);
}

function awayLayer(parts: AppParts, dialog: DialogOf<'away'>): KeyLayer {
	const entries = entriesNow(parts, dialog);
	return listLayer(parts, {
		context: 'away',
		index: indexOf(entries, dialog),
		count: () => entries.length,
		moved(to) {
			const id = entries[to]?.id;
			if (id !== undefined) changeDialog(parts.view, 'away', now => ({...now, id}));
		},
		chosen: action => parts.input.run(parts, action),
	});
}

function entriesNow(parts: AppParts, {since}: DialogOf<'away'>): readonly AwayEntry[] {
	return awayEntries(listsNow(parts).all, since, parts.away.computerChanges);
}

const intents: Intents = {
	away: ({view, away}) => setView(view, now => pushDialog(now, {kind: 'away', since: away.since()})),
	'away-open'(parts, lists) {
		const dialog = parts.view.getState().dialogs.at(-1);
		if (dialog?.kind !== 'away') return;
		const entries = entriesNow(parts, dialog);
		const entry = entries[indexOf(entries, dialog)];
		if (!entry) return;
		setView(parts.view, popDialog);
		if (entry.kind === 'computer') showComputer(parts, entry.id);
		else showSession(parts, lists, entry.id);
	},
};

function showComputer(parts: AppParts, id: string): void {
	if (parts.view.getState().page !== 'computers') setView(parts.view, view => ({...view, page: 'work'}));
	showResult(parts, {kind: 'computer', id}, false);
}

function showSession(parts: AppParts, lists: Lists, id: string): void {
	openSession(parts, id, 'main');
	const section = lists.places.sessions.get(id)?.section ?? 'sessions';
	setView(parts.view, view => ({...view, cursor: {section, id}}));
}

export const awayDialog: DialogModule<'away'> = {Component: AwayDialog, layer: awayLayer, intents};
