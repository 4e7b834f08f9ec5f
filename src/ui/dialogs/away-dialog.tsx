import {useEffect, useMemo, useRef} from 'react';
import type {KeyLayer} from '../../keys/layers.ts';
import {type AwayEntry, awayEntries} from '../../state/away.ts';
import {restoreSelection} from '../../state/rows/restore-selection.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {calendarDay, clockTime} from '../../text/values/times.ts';
import {bindingsOf} from '../keys/binding.ts';
import {ChoicePane} from '../kit/choice-pane.tsx';
import {dialogRect} from '../kit/dialog-rect.ts';
import {agesChangeAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import {openSession, showResult} from '../open-session.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import {awayColumns, awayRow} from './away-row.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer, topDialog} from './list-layer.ts';
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
	const starts = entries.map(entry => entry.at);
	const now = useNow(at => agesChangeAt(starts, at));
	const rows = Math.max(3, entries.length);
	const rect = dialogRect(layout, Math.min(maxWidth, layout.columns - 4), Math.min(rows, layout.rows - 6));
	const columns = useMemo(() => awayColumns(entries, rect.width - 3), [entries, rect.width]);
	const since = timeText(dialog.since, now);
	return (
		<ChoicePane
			rect={rect}
			title={[span(text.title, 'heading'), ...(entries.length > 0 ? countSpans(entries, since) : [])]}
			right={[span(strings.close(keys.label('cancel')), 'dim')]}
			count={entries.length}
			index={indexOf(entries, dialog)}
			renderRow={index => awayRow(entries[index], columns, now)}
			empty={[{line: []}, {line: [span(safe`  ${text.empty(since)}`, 'dim')]}]}
			context="away"
			choose="away-open"
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

/** Keeps the cursor on the entry that the user moved it to while others come above it. */
function useSelection(entries: readonly AwayEntry[], dialog: DialogOf<'away'>): void {
	const parts = useApp();
	const lastEntries = useRef<readonly AwayEntry[]>(entries);
	const {id} = dialog;
	useEffect(() => {
		const old = lastEntries.current;
		lastEntries.current = entries;
		const ids = new Set(entries.map(entry => entry.id));
		if (id === undefined || ids.has(id)) return;
		const index = old.findIndex(entry => entry.id === id);
		const next = restoreSelection(old, index, entry => ids.has(entry.id));
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
	});
}

function entriesNow(parts: AppParts, {since}: DialogOf<'away'>): readonly AwayEntry[] {
	return awayEntries(listsNow(parts).all, since, parts.away.computerChanges);
}

export const awayBindings = bindingsOf([
	{
		action: 'away',
		keys: [],
		title: 'While you were away: what happened during your last long pause',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'organization', 'composer'],
		run: ({view, away}) => setView(view, now => pushDialog(now, {kind: 'away', since: away.since()})),
	},
	{
		action: 'away-open',
		keys: ['enter'],
		title: 'Open the session or computer',
		hint: 'open',
		contexts: ['away'],
		isPaletteHidden: true,
		run(parts) {
			const dialog = topDialog(parts.view, 'away');
			if (!dialog) return;
			const entries = entriesNow(parts, dialog);
			const entry = entries[indexOf(entries, dialog)];
			if (!entry) return;
			setView(parts.view, popDialog);
			if (entry.kind === 'computer') showComputer(parts, entry.id);
			else openSession(parts, entry.id, 'main');
		},
	},
]);

function showComputer(parts: AppParts, id: string): void {
	if (parts.view.getState().page !== 'computers') setView(parts.view, view => ({...view, page: 'work'}));
	showResult(parts, {kind: 'computer', id}, false);
}

export const awayDialog: DialogModule<'away'> = {Component: AwayDialog, layer: awayLayer};
