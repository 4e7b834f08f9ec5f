import {notify} from '../../actions/notify.ts';
import {shortId} from '../../state/sessions/session-items.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import type {SearchHit} from '../../state/view/find.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd} from '../../text/cells/cut.ts';
import {fitLine, type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {findMatches, highlightMatches, searchPattern} from '../../text/search/search-matches.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {program} from '../../text/values/own-program.ts';
import {dateTime} from '../../text/values/times.ts';
import type {KeyLayer} from '../input.ts';
import {bindingsOf} from '../keys/binding.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {Pane, type Row} from '../kit/pane.tsx';
import {listTop} from '../kit/scroll.ts';
import {moreBelow} from '../kit/strings.ts';
import {queryLine} from '../kit/text-field.tsx';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import {useRowsZone} from '../mouse/use-rows-zone.ts';
import {pressAction, zoneOrder} from '../mouse/zones.ts';
import {openAtMessage} from '../stream/finding.ts';
import {type AppParts, useApp} from '../use-app.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer, topDialog} from './list-layer.ts';

const maxHits = 200;
/** Hits loaded ahead of the cursor: more than most screens show. */
const hitsAhead = 40;

const emptySearch: DialogOf<'search'> = {
	kind: 'search',
	query: '',
	hits: [],
	count: 0,
	listed: 0,
	isSearching: false,
	index: 0,
};

/** Keys of the search across all sessions: typing searches again, Enter opens the message. */
function searchLayer(parts: AppParts, dialog: DialogOf<'search'>): KeyLayer {
	const {query, hits, index} = dialog;
	return listLayer(parts, {
		context: 'search',
		query,
		index,
		count: () => hits.length,
		typed: words => searchAll(parts, words),
		moved: to => moveInSearch(parts, () => to),
	});
}

/** Moves the cursor and loads more hits when it nears the end of the loaded ones. */
function moveInSearch(parts: AppParts, next: (from: number) => number): void {
	changeDialog(parts.view, 'search', now => ({
		...now,
		index: Math.max(0, Math.min(now.hits.length - 1, next(now.index))),
	}));
	const dialog = topDialog(parts.view.getState(), 'search');
	if (dialog && dialog.index + hitsAhead >= dialog.hits.length) parts.actions.search.readMore();
}

/**
 * Searches for `query`. The previous hits stay until the new ones arrive, so the list doesn't flicker while
 * typing; they can't be opened, and their count is not shown.
 */
function searchAll(parts: AppParts, query: string): void {
	const {search} = parts.actions;
	changeDialog(parts.view, 'search', ({soFar: _, ...now}) => ({...now, query, index: 0, isSearching: true}));
	search.inAll(query, maxHits, ({count, listed, found, isOver, isIncomplete, searchedBytes}) => {
		if (topDialog(parts.view.getState(), 'search')?.query !== query) return search.endInAll();
		changeDialog(parts.view, 'search', ({soFar: _, searchedBytes: __, ...now}) =>
			isOver
				? {
						...now,
						...{count, listed, hits: found, isSearching: false, isIncomplete},
						searchedBytes,
					}
				: {...now, soFar: count},
		);
	});
}

/** Minimum columns of a session's name beside the date; where it has fewer, the date is left out. */
const minNameWidth = 16;
/** Rows per hit: its session and time, and a snippet. */
const rowsEach = 2;

/** Messages in all sessions that match the query, newest first. */
function SearchDialog({dialog, layout, lists}: DialogProps<'search'>) {
	const parts = useApp();
	const {query, hits, index, listed, isSearching} = dialog;
	const rect = dialogRect(layout, Math.min(100, layout.columns - 4), layout.rows - 4);
	const room = Math.max(1, Math.floor((rect.height - 4) / rowsEach));
	const top = listTop(0, index, room, hits.length);
	const below = listed - top - room;
	useRowsZone({
		rect,
		order: zoneOrder.dialog,
		above: 3,
		rowsEach,
		top,
		shown: Math.min(room, hits.length - top),
		pick(at, isDouble) {
			if (at === undefined) return;
			moveInSearch(parts, () => at);
			if (isDouble) pressAction(parts, 'search', 'search-open');
		},
		wheel: rows => moveInSearch(parts, from => from + Math.sign(rows)),
	});
	const names = new Map(lists.all.sessions.map(({id, name}) => [id, name]));
	const search = queryLine(
		safe`  > `,
		query,
		safe`beginnings of words, or "exact words", in all messages read so far`,
		rect.width - 2,
	);
	useScreenCursor({x: rect.x + 1 + search.cursor, y: rect.y + 1});
	return (
		<Pane
			rect={rect}
			title={[span(safe`Search`, 'heading')]}
			right={[
				span(safe`${parts.keys.label('search-open')} open · ${parts.keys.label('cancel')} close`, 'dim'),
			]}
			bottom={[...countLine(dialog), ...(below > 0 ? [span(safe`  `), ...moreBelow(below)] : [])]}
			isFocused
			body={[
				{line: search.line},
				{line: []},
				...(query.trim() !== '' && hits.length === 0 && !isSearching ? [emptyRow(dialog)] : []),
				...hits.slice(top, top + room).flatMap((hit, at) =>
					hitRows(hit, names.get(hit.sessionId) ?? shortId(hit.sessionId), query, {
						width: rect.width - 4,
						isSelected: top + at === index,
					}),
				),
			]}
		/>
	);
}

function emptyRow({isIncomplete}: DialogOf<'search'>): Row {
	const words = isIncomplete
		? safe`Cached messages can't be read; see \`${program} doctor\``
		: safe`No matches in cached messages`;
	return {line: [span(safe`  ${words}`, isIncomplete ? 'bad' : 'dim')]};
}

/** The number of hits, and whether only the newest are listed. */
function countLine({query, count, listed, soFar, isSearching, searchedBytes}: DialogOf<'search'>): Line {
	if (soFar !== undefined) return [span(safe`${soFar} so far ...`, 'info')];
	if (isSearching && query.trim() !== '') return [span(safe`searching…`, 'info')];
	const limit =
		searchedBytes === undefined
			? []
			: [span(safe` · newest ${byteSize(searchedBytes)} of transcripts`, 'dim')];
	if (count > listed) return [span(safe`newest ${listed} of ${count}`, 'dim'), ...limit];
	return count > 0 ? [span(safe`${count} found`, 'dim'), ...limit] : limit;
}

function hitRows(
	{snippet, createdAt}: SearchHit,
	name: string,
	query: string,
	{width, isSelected}: {width: number; isSelected: boolean},
): Row[] {
	const pattern = searchPattern(query);
	const plain: Line = [span(safe`   ${cleanLine(snippet, 400)}`, 'dim')];
	const matches = pattern && findMatches([plain], pattern).inRow.get(0);
	const excerpt = matches ? highlightMatches(plain, matches, {tone: 'warn', inverse: true}) : plain;
	const mark = isSelected ? safe` ▌ ` : safe`   `;
	const date = safe`  ${dateTime(createdAt)}`;
	const room = width - mark.length - date.length;
	const hasDate = room >= minNameWidth;
	const head: Line = [
		span(mark, 'accent'),
		span(hasDate ? cutEnd(cleanLine(name, 60), room) : cleanLine(name, 60), 'strong'),
		...(hasDate ? [span(date, 'dim')] : []),
	];
	return [
		{line: fitLine(head, width), isSelected},
		{line: fitLine(excerpt, width), isSelected},
	];
}

export const searchBindings = bindingsOf([
	{
		action: 'search',
		command: 'search',
		keys: ['F'],
		title: 'Search all sessions',
		findBy: 'find messages',
		contexts: ['lists', 'stream', 'session-table', 'computer', 'events'],
		run: parts => setView(parts.view, view => pushDialog(view, emptySearch)),
	},
	{
		action: 'search-open',
		keys: ['enter'],
		title: 'Go to the message',
		hint: 'go to message',
		contexts: ['search'],
		isPaletteHidden: true,
		run(parts) {
			const dialog = topDialog(parts.view.getState(), 'search');
			const hit = dialog?.hits[dialog.index];
			if (!hit) return;
			if (dialog.isSearching) return notify(parts.actions, 'info', 'Still searching for these words');
			setView(parts.view, popDialog);
			openAtMessage(parts, hit.sessionId, hit.messageId, dialog.query);
		},
	},
]);

export const searchDialog: DialogModule<'search'> = {Component: SearchDialog, layer: searchLayer};
