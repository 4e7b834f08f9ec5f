import type {Dialog} from '../../state/dialogs.ts';
import type {SearchHit} from '../../state/find.ts';
import type {Lists} from '../../state/lists.ts';
import {shortId} from '../../state/session-items.ts';
import {cleanLine} from '../../text/clean.ts';
import {fitLine, type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {findMatches, highlightMatches, searchPattern} from '../../text/search-matches.ts';
import {dateTime} from '../../text/times.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Row} from '../kit/frame.ts';
import {listTop} from '../kit/list-window.ts';
import {Pane} from '../kit/pane.tsx';
import {queryLine} from '../kit/query-line.ts';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Layout} from '../layout.ts';
import {pressAction} from '../mouse/press-key.ts';
import {useRowsZone} from '../mouse/use-rows-zone.ts';
import {zoneOrder} from '../mouse/zones.ts';
import {useApp} from '../use-app.ts';
import {moveInSearch} from './search-layer.ts';

type Props = {
	readonly dialog: Dialog & {kind: 'search'};
	readonly layout: Layout;
	readonly lists: Lists;
};

/** Rows per hit: its place and time, and a snippet. */
const rowsEach = 2;

/** Messages in all sessions that match the query, newest first. */
export function SearchDialog({dialog, layout, lists}: Props) {
	const parts = useApp();
	const {query, hits, index, listed, isLooking} = dialog;
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
	const hint = safe`beginnings of words, in all cached sessions`;
	const search = queryLine(safe`  / `, query, hint, rect.width - 2);
	useScreenCursor({x: rect.x + 1 + search.cursor, y: rect.y + 1});
	return (
		<Pane
			rect={rect}
			title={[span(safe`Search`, 'heading')]}
			right={[
				span(safe`${parts.keys.label('search-open')} opens it · ${parts.keys.label('cancel')} closes`, 'dim'),
			]}
			bottom={[...foundWords(dialog), ...(below > 0 ? [span(safe`  ${below} more ↓`, 'dim')] : [])]}
			isFocused
			body={[
				{line: search.line},
				{line: []},
				...(query.trim() !== '' && hits.length === 0 && !isLooking ? [nothingRow(dialog)] : []),
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

function nothingRow({isUnread}: Props['dialog']): Row {
	return isUnread
		? {line: [span(safe`  Saved data can't be read: \`quarterdeck doctor\` says why.`, 'bad')]}
		: {line: [span(safe`  No matches in cached messages.`, 'dim')]};
}

/** The number of hits, and whether only the newest are listed. */
function foundWords({count, listed, soFar}: Props['dialog']): Line {
	if (soFar !== undefined) return [span(safe`${soFar} so far ...`, 'info')];
	if (count > listed) return [span(safe`the newest ${listed} of ${count}`, 'dim')];
	return count > 0 ? [span(safe`${count} found`, 'dim')] : [];
}

function hitRows(
	{snippet, createdAt}: SearchHit,
	name: string,
	query: string,
	{width, isSelected}: {width: number; isSelected: boolean},
): Row[] {
	const pattern = searchPattern(query);
	const words: Line = [span(safe`   ${cleanLine(snippet, 400)}`, 'dim')];
	const found = pattern && findMatches([words], pattern).inRow.get(0);
	const shown = found ? highlightMatches(words, found, {tone: 'warn', inverse: true}) : words;
	const head: Line = [
		span(isSelected ? safe` ▌ ` : safe`   `, 'accent'),
		span(cleanLine(name, 60), 'strong'),
		span(safe`  ${dateTime(createdAt)}`, 'dim'),
	];
	return [
		{line: fitLine(head, width), isSelected},
		{line: fitLine(shown, width), isSelected},
	];
}
