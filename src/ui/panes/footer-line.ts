import {keyLabel} from '../../keys/key-label.ts';
import {endOf, type Notice} from '../../state/notices.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {fitLine, type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import type {Hint} from '../keys/hints.ts';

const noticeTones = {info: 'info', good: 'good', bad: 'bad'} as const;
const noticeGlyphs = {info: safe`·`, good: safe`✓`, bad: safe`✗`} as const;

/**
 * Hints of the focused pane on the left, the newest notice on the right. So that it isn't cut, a notice displaces the
 * first hint, which a newcomer needs next, and a brief one also the permanent hints.
 */
export function footerLine(hints: readonly Hint[], notice: Notice | undefined, width: number): Line {
	const {shown, noticeLine, room} = footerParts(hints, notice, width);
	const line = [
		span(safe` `),
		...shown.flatMap((hint, index) => [...(index > 0 ? [gap] : []), ...hintSpan(hint)]),
	];
	return [...padLine(fitLine(line, Math.max(0, room)), width - lineWidth(noticeLine)), ...noticeLine];
}

/** The hint at a column of the footer. */
export function hintAt(
	hints: readonly Hint[],
	notice: Notice | undefined,
	width: number,
	column: number,
): Hint | undefined {
	const {shown, room} = footerParts(hints, notice, width);
	let end = 1;
	return shown.find(hint => {
		const start = end;
		end += lineWidth(hintSpan(hint)) + gap.text.length;
		return column >= start && column < Math.min(end - gap.text.length, room);
	});
}

/** Permanent hints: a lost user needs them. The last two are of forms. */
const always: readonly string[] = ['help', 'quit', 'submit', 'cancel'];

/** Width, in columns, from which the first hint stays beside a notice. */
const firstFrom = 80;

/** A notice shown for at most this time may displace all hints, ms. */
const briefFor = 10_000;

/** The hints that fit, permanent ones last; the notice; and the columns available to hints. */
function footerParts(hints: readonly Hint[], notice: Notice | undefined, width: number) {
	const noticeIn = (columns: number): Line => {
		if (!notice) return [];
		const [text = safe``, rest] = wrapText(cleanLine(notice.text, 400), columns - 3, 2);
		const end = rest === undefined ? safe` ` : safe`…`;
		return [span(safe`${noticeGlyphs[notice.tone]} ${text}${end}`, noticeTones[notice.tone])];
	};
	const noticeSpans = noticeIn(Number.POSITIVE_INFINITY);
	const permanent = hints.filter(({binding}) => always.includes(binding.action));
	const first = hints.find(hint => !permanent.includes(hint));
	const hintsBeside = [
		...(first && width >= firstFrom && notice?.tone !== 'bad' ? [[first, ...permanent]] : []),
		permanent,
		...(notice && endOf(notice) - notice.at > briefFor ? [] : [[]]),
	].find(some => !notice || lineWidth(noticeSpans) + (some.length > 0 ? widthOf(some) + 3 : 1) <= width);
	const isAlone = hintsBeside?.length === 0 && permanent.length > 0;
	if (isAlone) return {shown: [], noticeLine: noticeSpans, room: 1};
	const noticeLine = hintsBeside ? noticeSpans : noticeIn(width - widthOf(permanent) - 3);
	const room = width - lineWidth(noticeLine) - (notice ? 2 : 0);
	const shown: Hint[] = [];
	let used = 1 + widthOf(permanent);
	for (const hint of hints) {
		if (permanent.includes(hint)) continue;
		const next = lineWidth(hintSpan(hint)) + gap.text.length;
		if (used + next - (permanent.length > 0 ? 0 : gap.text.length) > room) continue;
		used += next;
		shown.push(hint);
	}
	return {shown: [...shown, ...permanent], noticeLine, room};
}

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
