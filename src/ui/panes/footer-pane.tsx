import {memo, useCallback, useEffect, useSyncExternalStore} from 'react';
import {useStore} from 'zustand';
import type {FilterProblem} from '../../domain/list-filter/filter.ts';
import {keyLabel} from '../../keys/key-label.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {endOf, type Notice, withdrawNotice} from '../../state/notices.ts';
import type {View} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {fitLine, type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {filterLine, filterMark} from '../filter/filter-pane.tsx';
import type {Hint} from '../keys/hints.ts';
import {Rows} from '../kit/pane.tsx';
import {useNow} from '../kit/use-now.ts';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Rect} from '../layout.ts';
import {pressKey, useZone, zoneOrder} from '../mouse/zones.ts';
import {paint} from '../theme/theme.ts';
import {useTheme} from '../theme/use-theme.ts';
import {useApp} from '../use-app.ts';

type Props = {
	readonly rect: Rect;
	readonly dialogs: View['dialogs'];
	readonly typedFilter: string | undefined;
	readonly hints: readonly Hint[];
	/** Numbers of rows that the filter hides, if they are shown. */
	readonly hidden: Lists['hidden'] | undefined;
	readonly problems: readonly FilterProblem[];
};

/** The focused pane's key hints and the newest notice; the filter while it is being typed. */
export const FooterPane = memo((props: Props) => {
	const {rect, dialogs, typedFilter, hints, hidden, problems} = props;
	const parts = useApp();
	const {stores, keys} = parts;
	const theme = useTheme();
	const newest = useStore(stores.notices, ({list}) => list.at(-1));
	const until = newest === undefined ? 0 : endOf(newest);
	const now = useNow(at => (until > at ? until : undefined));
	// A form or dialog shows its own problem in full.
	const formProblem = useStore(parts.forms, ({form}) => form?.problem);
	const dialog = dialogs.at(-1);
	const ownProblem = dialog?.kind === 'new-session' ? dialog.problem : formProblem;
	const isRepeated = newest?.text === ownProblem;
	const isOver = !useIsCurrent(newest) || isRepeated || now >= until;
	const notice = isOver ? undefined : newest;
	useEffect(() => {
		if (newest && isOver) withdrawNotice(stores.notices, newest.id, now);
	}, [stores.notices, newest, isOver, now]);
	const whole = keys.label('view-events');
	const typed = textWidth(filterMark) + textWidth(cleanLine(typedFilter ?? ''));
	useScreenCursor(
		typedFilter !== undefined && dialogs.length === 0
			? {x: rect.x + Math.min(typed, rect.width - 1), y: rect.y}
			: undefined,
	);
	useZone({
		rect,
		order: zoneOrder.footer,
		press({x}) {
			const hint = typedFilter === undefined && hintAt(hints, notice, rect.width, whole, x);
			if (hint) pressKey(parts, hint.key);
		},
	});
	if (typedFilter !== undefined) {
		const line = filterLine(typedFilter, problems, hidden, rect.width, {
			keep: keys.label('keep-filter'),
			clear: keys.label('clear-filter'),
		});
		return <Rows rect={rect} rows={[paint(line, theme)]} />;
	}
	return <Rows rect={rect} rows={[paint(footerLine(hints, notice, rect.width, whole), theme)]} />;
});

/** Whether the cause of a notice is still there, by anything that the screen shows. */
function useIsCurrent(notice: Notice | undefined): boolean {
	const {stores, view, composers} = useApp();
	const subscribe = useCallback(
		(listener: () => void) => {
			if (!notice?.isCurrent) return () => undefined;
			const {fleet, connection, outbox, streams, events, attention} = stores;
			const all = [fleet, connection, outbox, streams, events, attention, view, composers];
			const stops = all.map(store => store.subscribe(listener));
			return () => {
				for (const stop of stops) stop();
			};
		},
		[notice, stores, view, composers],
	);
	return useSyncExternalStore(subscribe, () => notice?.isCurrent?.() ?? true);
}

const noticeTones = {info: 'info', good: 'good', bad: 'bad'} as const;
const noticeGlyphs = {info: safe`·`, good: safe`✓`, bad: safe`✗`} as const;

/**
 * Hints of the focused pane on the left, the newest notice on the right. A notice displaces other hints, never that of
 * the help. Unless it tells a failure, a long path in it is cut in the middle; then it is cut between words, and `whole`
 * is the key of the view that shows all of it.
 */
export function footerLine(
	hints: readonly Hint[],
	notice: Notice | undefined,
	width: number,
	whole: Safe,
): Line {
	const {shown, noticeLine, room} = footerParts(hints, notice, width, whole);
	const line = [
		span(safe` `),
		...shown.flatMap((hint, index) => [...(index > 0 ? [gap] : []), ...hintSpan(hint)]),
	];
	return [...padLine(fitLine(line, Math.max(0, room)), width - lineWidth(noticeLine)), ...noticeLine];
}

function hintAt(
	hints: readonly Hint[],
	notice: Notice | undefined,
	width: number,
	whole: Safe,
	column: number,
): Hint | undefined {
	const {shown, room} = footerParts(hints, notice, width, whole);
	let end = 1;
	return shown.find(hint => {
		const start = end;
		end += lineWidth(hintSpan(hint)) + gap.text.length;
		return column >= start && column < Math.min(end - gap.text.length, room);
	});
}

/** Permanent hints: a lost user needs them. The last two are of forms. */
const always: readonly string[] = ['help', 'quit', 'submit', 'cancel'];

/** Width, in columns, from which the first hint stays beside a notice, and all permanent ones beside one that is cut. */
const [firstFrom, permanentFrom] = [80, 60];

/** The hints that fit, permanent ones last; the notice; and the columns available to hints. */
function footerParts(hints: readonly Hint[], notice: Notice | undefined, width: number, whole: Safe) {
	const noticeIn = (columns: number): Line => {
		if (!notice) return [];
		const tone = noticeTones[notice.tone];
		const said = cleanLine(notice.text, 400);
		const text = notice.tone === 'bad' ? said : withShortPath(said, Math.floor(width / 2));
		const all = safe`${noticeGlyphs[notice.tone]} ${text} `;
		if (textWidth(all) <= columns) return [span(all, tone)];
		const room = columns - textWidth(whole) - 5;
		const [cut = safe``] = wrapText(text, Math.max(1, room), 2);
		return [span(safe`${noticeGlyphs[notice.tone]} ${cut}… `, tone), span(safe`${whole} `, 'strong')];
	};
	const permanent = hints.filter(({binding}) => always.includes(binding.action));
	const first = hints.find(hint => !permanent.includes(hint));
	const noticeWidth = lineWidth(noticeIn(Number.POSITIVE_INFINITY));
	const help = permanent.filter(({binding}) => binding.action === 'help');
	const least = help.length > 0 ? help : permanent;
	const hintsBeside = [
		...(first && width >= firstFrom && notice?.tone !== 'bad' ? [[first, ...permanent]] : []),
		permanent,
		least,
	].find(some => noticeWidth + widthOf(some) + 3 <= width);
	const kept = hintsBeside ?? (width >= permanentFrom ? permanent : least);
	const noticeLine = noticeIn(width - widthOf(kept) - 3);
	const room = width - lineWidth(noticeLine) - (notice ? 2 : 0);
	const shown: Hint[] = [];
	const last = notice ? permanent.filter(hint => kept.includes(hint)) : permanent;
	let used = 1 + widthOf(last);
	for (const hint of hints) {
		if (permanent.includes(hint)) continue;
		const next = lineWidth(hintSpan(hint)) + gap.text.length;
		if (used + next - (last.length > 0 ? 0 : gap.text.length) > room) continue;
		used += next;
		shown.push(hint);
	}
	return {shown: [...shown, ...last], noticeLine, room};
}

/** Cuts the middle of the text's first path, as far as the text is wider than `room`. */
function withShortPath(text: Safe, room: number): Safe {
	const excess = textWidth(text) - room;
	const short = (path: string) =>
		cutMiddle(cleanLine(path), Math.max(shortestPath, textWidth(path) - excess));
	return cleanLine(text.replace(/(?<=^|\s)~?\/[^:,;]+/, short));
}

/** Columns. */
const shortestPath = 24;

/** Total width of hints in a row, including the gaps between them. */
function widthOf(hints: readonly Hint[]): number {
	return hints.reduce(
		(sum, hint) => sum + lineWidth(hintSpan(hint)),
		Math.max(0, hints.length - 1) * gap.text.length,
	);
}

const gap = span(safe`   `);

function hintSpan({key, label}: Hint): Line {
	return [span(keyLabel(key), 'strong'), span(safe` ${cleanLine(label)}`, 'dim')];
}
