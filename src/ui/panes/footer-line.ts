import type {Hint} from '../../keys/hints.ts';
import {keyLabel} from '../../keys/key-label.ts';
import type {Notice} from '../../state/notices.ts';
import {cleanLine} from '../../text/clean.ts';
import {fitLine, type Line, lineWidth, padLine, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';

const noticeTones = {info: 'info', good: 'good', bad: 'bad'} as const;
const noticeGlyphs = {info: safe`·`, good: safe`✓`, bad: safe`✗`} as const;

/** Hints of the focused pane on the left, the newest notice on the right; a notice takes what room it needs but theirs that always stand. */
export function footerLine(hints: readonly Hint[], notice: Notice | undefined, width: number): Line {
	const end = endOf(hints);
	const told: Line = notice
		? fitLine(
				[
					span(safe`${noticeGlyphs[notice.tone]} `, noticeTones[notice.tone]),
					span(cleanLine(notice.text, 400), noticeTones[notice.tone]),
					span(safe` `),
				],
				width - 1 - (end.length > 0 ? lineWidth(end) + 2 : 0),
			)
		: [];
	const room = width - lineWidth(told) - (notice ? 2 : 0);
	const shown = hintSpans(hints, room);
	return [...padLine(shown, width - lineWidth(told)), ...told];
}

/** Never left out: whoever is lost needs these two. */
const always: readonly string[] = ['help', 'quit'];

/** As many whole hints as fit, beside those that always stand at the end. */
function hintSpans(hints: readonly Hint[], room: number): Line {
	const end = endOf(hints);
	const line = [span(safe` `)];
	for (const hint of hints) {
		if (always.includes(hint.binding.action)) continue;
		const next = [...(line.length > 1 ? [gap] : []), ...hintSpan(hint)];
		if (lineWidth([...line, ...next, ...end]) <= room) line.push(...next);
	}
	return fitLine(line.length > 1 ? [...line, ...end] : [...line, ...end.slice(1)], Math.max(0, room));
}

function endOf(hints: readonly Hint[]): Line {
	return hints
		.filter(({binding}) => always.includes(binding.action))
		.flatMap(hint => [gap, ...hintSpan(hint)]);
}

const gap = span(safe`   `);

function hintSpan({key, binding: {hint, title}}: Hint): Line {
	return [span(keyLabel(key), 'strong'), span(safe` ${cleanLine(hint ?? title)}`, 'dim')];
}
