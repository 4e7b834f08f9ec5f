import {keyLabel} from '../../keys/key-label.ts';
import type {Notice} from '../../state/notices.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {fitLine, type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import type {Hint} from '../keys/hints.ts';

const noticeTones = {info: 'info', good: 'good', bad: 'bad'} as const;
const noticeGlyphs = {info: safe`·`, good: safe`✓`, bad: safe`✗`} as const;

/**
 * Hints of the focused pane on the left, the newest notice on the right. A notice displaces other hints, never that of
 * the help; it is cut between words, and `whole` is the key of the view that shows all of it.
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

export function hintAt(
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
		const text = cleanLine(notice.text, 400);
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
